// Whether a sanitizer sees what it should, and only that: `Tests/Sanitizers/run` builds this and
// expects a report of `race`, `overflow` and `leak`, and none of `order`.

import Glibc
import Synchronization

final class Shared: @unchecked Sendable {  // on purpose
    let lock = Mutex(0)
    var plain = 0
    var held: Shared?
    let isResumed = Atomic(false)
}

/// Runs the body on threads of their own, at the same time.
func startThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) -> [pthread_t] {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var threads: [pthread_t] = []
    for _ in 0..<count {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(Box(body)).toOpaque())
        threads.append(thread)
    }
    return threads
}

func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    for thread in startThreads(count, body) { pthread_join(thread, nil) }
}

func roll(_ generator: inout some RandomNumberGenerator) -> Double {
    Double.random(in: 0...1, using: &generator)
}

/// What ThreadSanitizer can't see by itself and thread.c tells it.
func order() async {
    let shared = Shared()
    onThreads(4) {
        for _ in 0..<20_000 {
            shared.lock.withLock { number in
                number += 1
                shared.plain += 1
            }
        }
    }
    for _ in 0..<200 {
        let handed = Shared()
        await withUnsafeContinuation { continuation in
            let threads = startThreads(1) {
                handed.plain += 1
                continuation.resume()
                handed.isResumed.store(true, ordering: .relaxed)
            }
            // Relaxed, and no join: only the continuation orders the two.
            while !handed.isResumed.load(ordering: .relaxed) { sched_yield() }
            for thread in threads { pthread_detach(thread) }
        }
        handed.plain += 1
    }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<1_000 { _ = roll(&generator) }
}

switch CommandLine.arguments.last {
case "order": await order()
case "race":
    let shared = Shared()
    onThreads(2) {
        for _ in 0..<10_000 {
            shared.lock.withLock { $0 += 1 }
            shared.plain += 1
        }
    }
case "overflow":
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
    bytes[CommandLine.arguments.count + 6] = 1
    bytes.deallocate()
case "leak":
    for _ in 0..<10 {
        let cycle = Shared()
        cycle.held = cycle
    }
default: exit(2)
}
