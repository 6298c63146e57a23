import EmbeddedPostgres
import FaultSupport
import Tenure
import TenureSystem

/// What happens to the database itself.
extension Injector {
    /// Killed, or stopped at once, and back after a while.
    func end(_ fault: PlannedFault) async throws {
        try await database.exclusively {
            let boot = bootTime()
            var detail: String?
            if fault.kind == .stopPostgres {
                database.signal(SIGQUIT)
            } else if fault.variant < 0.35, let backend = try await someBackend(fault) {
                // The postmaster then ends all others and recovers, by itself.
                detail = "one backend, of \(backend.name)"
                TenureSystem.kill(backend.pid, SIGKILL)
            } else {
                database.server.kill()
            }
            try await Task.sleep(for: .seconds(fault.length))
            try await database.bringUp()
            recording.fault(fault.kind, from: boot, until: bootTime(), detail: detail)
        }
    }

    func terminate(_ fault: PlannedFault) async throws {
        guard let backend = try await someBackend(fault) else { return }
        let boot = bootTime()
        do {
            try await database.pool.simple(
                "SELECT pg_terminate_backend(\(backend.pid))", deadline: .seconds(2))
        } catch is PostgresError {
            return  // the server is away just now: nothing was done
        }
        let victim = (workers + producers + coordinators).compactMap(\.current)
            .first { backend.name.hasPrefix($0.name) }
        recording.fault(fault.kind, from: boot, victim, detail: backend.name)
    }

    func fillDisk(_ fault: PlannedFault) async throws {
        guard let disk else { return }
        try await database.exclusively {
            let boot = bootTime()
            try disk.fill()
            try await Task.sleep(for: .seconds(fault.length))
            disk.free()
            try await database.bringUp()
            recording.fault(fault.kind, from: boot, until: bootTime())
        }
    }

    /// A backend of the load; one that is at work if there is any, more often than not.
    private func someBackend(_ fault: PlannedFault) async throws -> (pid: pid_t, name: String)? {
        do {
            let backends = try await database.pool.query(
                """
                SELECT pid, application_name FROM pg_stat_activity
                WHERE backend_type = 'client backend'
                  AND application_name ~ '^(worker|producer|coordinator)-'
                ORDER BY (state = 'idle') = \(fault.variant < 0.7), pid
                """, deadline: .seconds(2)
            ) { (pid_t(try $0.decode(0, as: Int32.self)), try $0.decode(1, as: String.self)) }
            if backends.isEmpty { return nil }
            let among = fault.variant < 0.7 ? min(3, backends.count) : backends.count
            return backends[fault.target % among]
        } catch is PostgresError {
            return nil  // the server is away just now
        }
    }
}
