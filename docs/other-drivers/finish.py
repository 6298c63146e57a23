"""Marks an invoice as sent and ends the run that sent it, in one transaction.

    python3 finish.py CONNECTION JOB FENCE INVOICE

JOB and FENCE are those of a run that a worker has claimed: `context.jobID`, `context.fence`.
Exit codes: 0 both are done; 3 the result was late, and neither is.
"""

import sys

import psycopg

LATE = "TN001"


def mark_sent(connection, job, fence, invoice):
    with connection.transaction():
        connection.execute("UPDATE invoice SET sent_at = now() WHERE id = %s", [invoice])
        # Last: it raises TN001 when another run, or a newer job, has this one's place.
        connection.execute("SELECT tenure.finish(%s, %s)", [job, fence])


if __name__ == "__main__":
    conninfo, job, fence, invoice = sys.argv[1:]
    with psycopg.connect(conninfo, autocommit=True) as connection:
        try:
            mark_sent(connection, job, int(fence), int(invoice))
        except psycopg.Error as error:
            if error.sqlstate != LATE:
                raise
            # Not a failure of the job, and nothing to try again: whoever has its place does it.
            print(error.diag.message_primary, file=sys.stderr)
            sys.exit(3)
