/// The shell that stands between an owner and a PostgreSQL program, as the program's parent.
///
/// It shares one socket pair with the owner, as descriptor 3:
///
///     owner ── "stop\n" ──▶ shell     end the program, leave the folders
///     owner ── (closed) ──▶ shell     end the program, remove the folders
///     owner ◀── "status\n" ── shell   the program has ended
///
/// The kernel closes the owner's end however the owner ends, `kill -9` included, and nobody else
/// holds it: so a server can't outlive its owner. Ending is a fast shutdown (SIGINT), after a
/// minute an immediate one (SIGQUIT), then SIGKILL. The signal is repeated because a program that
/// has just been started may not listen yet; it stops within a tenth of a second of the program's
/// end, before its number can go round.
enum Supervisor {
    static let script = """
        temporary=$1 sockets=$2
        shift 2
        "$@" </dev/null 3>&- &
        server=$!
        trap "" PIPE
        {
            read -r order <&3
            ordered=$?
            for step in INT:600 QUIT:100 KILL:50; do
                left=${step#*:}
                while [ "$left" -gt 0 ] && kill -s "${step%:*}" "$server"; do
                    left=$((left - 1))
                    sleep 0.1 3>&-
                done
            done
            exit "$ordered"
        } 2>/dev/null &
        watcher=$!
        wait "$server"
        echo "$?" >&3 2>/dev/null
        wait "$watcher" || rm -rf -- "$temporary" "$sockets"
        """

    static let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C"]

    /// The shell's arguments; folders that are not to be removed are empty strings.
    static func arguments(
        for command: [String], temporary: String = "", sockets: String = ""
    ) -> [String] {
        ["/bin/sh", "-c", script, "tenure-postgres", temporary, sockets] + command
    }
}
