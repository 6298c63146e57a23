"""Stands between a worker and its PostgreSQL: holds up what they say to each other, or cuts it."""
import socket
import threading
import time


class Wire:
    def __init__(self, port):
        self.target = port
        self.holds_questions = self.holds_answers = self.is_closed = False
        self.pairs = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                if self.is_closed:
                    return
                near.close()  # nobody is there
                continue
            self.pairs.append((near, far))
            for source, sink, held in ((near, far, "holds_questions"),
                                       (far, near, "holds_answers")):
                threading.Thread(target=self.carry, args=[source, sink, held],
                                 daemon=True).start()

    def carry(self, source, sink, held):
        try:
            while data := source.recv(65536):
                while getattr(self, held):
                    time.sleep(0.01)
                sink.sendall(data)
        except OSError:
            pass  # one side is gone: so is the other
        self.end(source)
        self.end(sink)

    def hold(self, answers_only=False):
        self.holds_answers, self.holds_questions = True, not answers_only

    def release(self):
        self.holds_answers = self.holds_questions = False

    def close(self):
        """From here on connections are refused, and those there are end."""
        self.is_closed = True
        self.release()
        for one in (self.listener, *(one for pair in self.pairs for one in pair)):
            self.end(one)

    @staticmethod
    def end(one):
        try:
            one.shutdown(socket.SHUT_RDWR)  # wakes whoever waits in it
        except OSError:
            pass  # it has ended already
        one.close()
