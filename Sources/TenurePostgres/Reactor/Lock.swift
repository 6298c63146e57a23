package import TenureSystem

/// A value behind a small lock.
///
/// On `pthread_mutex`, because ThreadSanitizer sees races in `Synchronization.Mutex` that aren't.
/// Nothing that can wait, and no continuation, runs inside.
package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Unchecked because the value is only reachable through `withLock`.
    @usableFromInline let memory: UnsafeMutableRawPointer

    /// Behind the mutex, in the same piece of memory: there are many locks.
    @inlinable @inline(__always) static var offset: Int {
        let alignment = MemoryLayout<Value>.alignment
        return (MemoryLayout<pthread_mutex_t>.size + alignment - 1) / alignment * alignment
    }
    @inlinable @inline(__always) var mutex: UnsafeMutablePointer<pthread_mutex_t> {
        memory.assumingMemoryBound(to: pthread_mutex_t.self)
    }
    @inlinable @inline(__always) var value: UnsafeMutablePointer<Value> {
        (memory + Self.offset).assumingMemoryBound(to: Value.self)
    }

    @inlinable package init(_ initial: consuming sending Value) {
        memory = .allocate(
            byteCount: Self.offset + MemoryLayout<Value>.size,
            alignment: max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<Value>.alignment))
        pthread_mutex_init(
            memory.initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t()), nil)
        (memory + Self.offset).bindMemory(to: Value.self, capacity: 1).initialize(to: initial)
    }

    @inlinable deinit {
        value.deinitialize(count: 1)
        pthread_mutex_destroy(mutex)
        memory.deallocate()
    }

    /// Always inlined: called, it would be the generic one, with its types looked up at run time.
    @inlinable @inline(__always) package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
