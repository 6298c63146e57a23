"""The worker's clock, and its connections."""
import contextlib
import os
import socket
import time

import psycopg


def now():
    """The clock that leases are counted on: nobody sets it, and it goes on in suspend."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def connect(dsn, name, patience=10):
    connection = psycopg.connect(
        dsn, autocommit=True, application_name=f"tenure python {name}",
        connect_timeout=max(2, int(patience)), tcp_user_timeout=int(patience * 1000))
    # A login may have another default, and claims are refused there.
    connection.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED")
    return connection


class Link:
    """A connection for one thread. A statement that takes too long is cut off by the watch."""

    def __init__(self, dsn, name, patience):
        self.dsn, self.name, self.patience = dsn, name, patience
        self.connection, self.busy_since = None, None

    def call(self, statement, parameters=()):
        self.busy_since = now()
        try:
            if self.connection is None:
                self.connection = connect(self.dsn, self.name, self.patience)
            cursor = self.connection.execute(statement, parameters)
            return cursor.fetchall() if cursor.description else []
        except psycopg.OperationalError:
            self.close()
            raise
        finally:
            self.busy_since = None

    def cut(self, at):
        """Ends a call that has lasted too long: its thread gets an error."""
        since, connection = self.busy_since, self.connection
        if since is None or connection is None or at < since + self.patience:
            return
        with contextlib.suppress(OSError, psycopg.Error):  # it has just been closed
            with socket.socket(fileno=os.dup(connection.fileno())) as wire:
                wire.shutdown(socket.SHUT_RDWR)

    def close(self):
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()
