"""Stands between a worker and its PostgreSQL: holds up what they say to each other, or cuts it."""
import socket
import threading
import time


class Wire:
    def __init__(self, port):
        self.target = port
        self.holds_questions = self.holds_answers = False
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
                if self.listener.fileno() < 0:
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
        for one in (source, sink):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed already

    def hold(self, answers_only=False):
        self.holds_answers, self.holds_questions = True, not answers_only

    def release(self):
        self.holds_answers = self.holds_questions = False

    def close(self):
        self.release()
        self.listener.close()
        for pair in self.pairs:
            for one in pair:
                one.close()
