"""Two handlers: DATABASE_URL=… python3 handlers.py"""
import logging
import os

from tenure_run import Unreadable, completed
from tenure_worker import Worker

worker = Worker(os.environ["DATABASE_URL"], os.environ.get("TENURE_QUEUE", "default"))


@worker.handle("greet")
def greet(run):
    return completed({"said": f"Hello, {run.payload['name']}!"})


@worker.handle("send-invoice")
def send_invoice(run):
    if "invoice" not in run.payload:
        raise Unreadable("it has no invoice")
    run.check()  # here the mail would be sent, with run.job as its idempotency key
    with run.commit() as connection:  # sent, and completed: both, or neither
        connection.execute("UPDATE invoice SET sent_at = now() WHERE id = %s",
                           [run.payload["invoice"]])


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    os._exit(worker.run())  # a handler that doesn't stop keeps nobody
