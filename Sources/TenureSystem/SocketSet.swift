/// The kernel's side of a reactor: the sockets it watches, a wake-up and a timer.
///
/// Everything but `setTimer` and `wait` may be called by any thread while the reactor's waits.
package protocol SocketSet: AnyObject, Sendable {
    /// Watches for input.
    /// - Returns: false when the system can't.
    func add(_ descriptor: Int32, token: UInt64) -> Bool
    /// Watches for room to write too, or no longer.
    func setWantsOutput(_ wants: Bool, _ descriptor: Int32, token: UInt64)
    /// The descriptor is still open, and may be closed afterwards.
    func remove(_ descriptor: Int32, token: UInt64)
    /// Ends a wait, the next one if there is none.
    func wake()
    /// Ends a wait at so many nanoseconds of `System.clock`; nil: not at all.
    func setTimer(_ nanoseconds: Int64?)
    /// - Parameter block: false to look without waiting.
    /// - Returns: the tokens of those that are ready, or broken; possibly of some that were removed
    ///   meanwhile.
    func wait(block: Bool) -> [UInt64]
}
