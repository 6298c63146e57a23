/// Takes events on a thread that must not wait, such as the beat's, and hands them on elsewhere:
/// a log pipe that is full must not delay a cancellation. When too many gather, the newest are
/// dropped.
package struct EventRelay: EventObserver {
    private let observer: any EventObserver
    private let events: AsyncStream<Event>
    private let input: AsyncStream<Event>.Continuation

    package init(to observer: any EventObserver) {
        self.observer = observer
        (events, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(10_000))
    }

    package func observe(_ event: Event) { input.yield(event) }

    /// Hands on until `finish`, to the last event.
    package func run() async {
        for await event in events { observer.observe(event) }
    }

    package func finish() { input.finish() }
}
