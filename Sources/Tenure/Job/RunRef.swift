/// A run as its worker knows it.
package struct RunRef: Hashable, Sendable {
    package let job: JobID
    package let fence: Fence
    package init(job: JobID, fence: Fence) {
        self.job = job
        self.fence = fence
    }

    /// No two runs share a fence.
    package func hash(into hasher: inout Hasher) { hasher.combine(fence.rawValue) }
}
