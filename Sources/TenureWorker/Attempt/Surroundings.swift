package import Tenure
import TenurePostgres
package import Tracing

/// What a worker runs in: its time, its threads and its randomness. A simulation brings its own,
/// and everything a worker does is then decided by a seed.
package struct Surroundings: Sendable {
    /// The worker's own tasks: claims, guards, ends. Nothing here may block.
    package let control: any TaskExecutor
    package let time: any Timekeeper
    /// The heartbeat's own, so that nothing can delay it.
    package let beats: any TaskExecutor
    package let beatTime: any Timekeeper
    /// The users' code.
    package let handlers: any TaskExecutor
    /// For jitter: copies draw from one source, or need not be told apart.
    package let random: any RandomNumberGenerator & Sendable
    /// Where each run is a span; nil where nobody traces.
    let tracer: (any Tracer)?

    package init(
        control: any TaskExecutor, time: any Timekeeper, beats: any TaskExecutor,
        beatTime: any Timekeeper, handlers: any TaskExecutor,
        random: any RandomNumberGenerator & Sendable, tracer: (any Tracer)? = nil
    ) {
        self.control = control
        self.time = time
        self.beats = beats
        self.beatTime = beatTime
        self.handlers = handlers
        self.random = random
        self.tracer = tracer
    }

    /// For what all workers would else do at the same moment.
    func jitter() -> Double {
        var generator = random
        return Double.random(in: 0.9...1.1, using: &generator)
    }

    /// Reactor threads for the worker and its heartbeat, the global executor for handlers, and the
    /// tracer of the process.
    static func real(control: PostgresReactor, beats: PostgresReactor) -> Surroundings {
        Surroundings(
            control: control.executor, time: ReactorTime(control), beats: beats.executor,
            beatTime: ReactorTime(beats), handlers: globalConcurrentExecutor,
            random: SystemRandomNumberGenerator(), tracer: InstrumentationSystem.bootstrapped)
    }
}
