import Foundation
import Testing

@testable import TenureWorker

private struct Wrapped: Error { var cause: any Error }
private struct InAStruct: Error {
    struct Details { var notes = "", underlying: (any Error)? }
    var details: Details
}
private enum InAnEnum: Error {
    case upload(file: String, because: any Error)
    indirect case retried(InAnEnum, times: Int)
    case refused
}
private class Base: Error, @unchecked Sendable {  // written once, before it is shared
    var cause: (any Error)?
    init(_ cause: (any Error)?) { self.cause = cause }
}
private final class Derived: Base, @unchecked Sendable { let note = "derived" }
private struct Many: Error { var errors: [any Error] }
private struct Named: Error { var byName: [String: any Error] }
private struct Driver: CancellationRepresentable { var representsCancellation: Bool }
private struct Plain: Error, CustomStringConvertible {
    var bytes = [UInt8](repeating: 7, count: 100_000), text = "text"
    var description: String { "plain" }
}
private struct Both: Error { var first: Plain, second: any Error }
/// Whoever reads this object's state by reflection reads what another thread writes.
private final class Live: @unchecked Sendable { var error: any Error = CancellationError() }
private struct HoldsLive: Error { let live = Live() }

@Suite struct CancellationTests {
    private static let stop = CancellationError()

    private static func deep(_ levels: Int) -> any Error {
        (0..<levels).reduce(stop as any Error) { inner, _ in Wrapped(cause: inner) }
    }

    @Test(
        arguments: [
            stop, Wrapped(cause: stop), deep(5000),
            InAStruct(details: .init(underlying: Wrapped(cause: stop))),
            InAnEnum.upload(file: "a", because: stop),
            InAnEnum.retried(.retried(.upload(file: "a", because: stop), times: 1), times: 2),
            Base(stop), Derived(stop), Many(errors: [Plain(), stop]), Named(byName: ["a": stop]),
            Driver(representsCancellation: true),
            Wrapped(cause: Driver(representsCancellation: true)),
            URLError(.cancelled), Both(first: Plain(), second: stop),
            NSError(domain: "mine", code: 1, userInfo: [NSUnderlyingErrorKey: stop]),
            NSError(
                domain: "mine", code: 1,
                userInfo: [NSUnderlyingErrorKey: NSError(domain: NSURLErrorDomain, code: -999)]),
        ] as [any Error])
    func `a cancellation is found however it is wrapped`(_ error: any Error) {
        #expect(Cancellation.isCancellation(error))
    }

    @Test(
        arguments: [
            Plain(), Wrapped(cause: Plain()), InAnEnum.refused, Base(nil), Many(errors: []),
            Driver(representsCancellation: false), URLError(.timedOut), HoldsLive(),
            NSError(domain: "mine", code: -999),
        ] as [any Error])
    func `what is no cancellation is none`(_ error: any Error) {
        #expect(!Cancellation.isCancellation(error))
    }

    @Test func `errors that hold each other are walked once`() {
        let first = Base(nil)
        let second = Derived(first)
        first.cause = second
        #expect(!Cancellation.isCancellation(second))
        second.cause = Many(errors: [first, Self.stop])
        #expect(Cancellation.isCancellation(first))
        first.cause = nil
    }
}
