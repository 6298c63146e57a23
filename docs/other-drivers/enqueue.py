"""Bills an invoice. The invoice and the job that sends it are one transaction: psycopg's own.

    python3 enqueue.py CONNECTION INVOICE
"""

import sys

import psycopg
from psycopg.types.json import Jsonb


def bill(connection, invoice):
    with connection.transaction():
        connection.execute("INSERT INTO invoice (id) VALUES (%s)", [invoice])
        # Last: the key is locked from here to the commit.
        row = connection.execute(
            """
            SELECT job_id FROM tenure.enqueue(
                'send-invoice', %s, key => %s, mode => 'superseding', notify => true)
            """,
            [Jsonb({"invoice": invoice}), f"invoice-{invoice}"],
        ).fetchone()
    return row[0]


if __name__ == "__main__":
    with psycopg.connect(sys.argv[1], autocommit=True) as connection:
        print(bill(connection, int(sys.argv[2])))
