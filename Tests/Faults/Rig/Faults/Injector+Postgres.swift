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

    /// A backend of the load. More often than not it shall be at work, and nobody would feel the
    /// end of another: such a one is waited for, some two seconds, and is, of those at work,
    /// one whose transaction is open between two statements, or else has lasted longest.
    private func someBackend(_ fault: PlannedFault) async throws -> (pid: pid_t, name: String)? {
        do {
            var backends = try await backends()
            if fault.variant < 0.7 {
                for _ in 0..<100 where !backends.contains(where: \.isAtWork) {
                    try await Task.sleep(for: .milliseconds(20))
                    backends = try await self.backends()
                }
                backends = backends.first(where: \.isAtWork).map { [$0] } ?? backends
            } else if backends.contains(where: { !$0.isAtWork }) {
                backends.removeAll(where: \.isAtWork)
            }
            if backends.isEmpty { return nil }
            let chosen = backends[fault.target % backends.count]
            return (chosen.pid, chosen.name)
        } catch is PostgresError {
            return nil  // the server is away just now
        }
    }

    private func backends() async throws -> [(pid: pid_t, name: String, isAtWork: Bool)] {
        try await database.pool.query(
            """
            SELECT pid, application_name, coalesce(state <> 'idle', false) FROM pg_stat_activity
            WHERE backend_type = 'client backend'
              AND application_name ~ '^(worker|producer|coordinator)-'
            ORDER BY state LIKE 'idle in transaction%' DESC NULLS LAST, xact_start, pid
            """, deadline: .seconds(2)
        ) {
            (
                pid_t(try $0.decode(0, as: Int32.self)), try $0.decode(1, as: String.self),
                try $0.decode(2, as: Bool.self)
            )
        }
    }
}
