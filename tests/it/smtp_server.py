"""A real SMTP server for a test: takes mail, and prints each as a line of JSON. The first line is its port.

Refuses whoever is called "nobody".
"""

import asyncio
import email
import email.policy
import json

from aiosmtpd.smtp import SMTP


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return f"550 no such mailbox: {address}"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        texts = [part for part in mail.walk() if not part.is_multipart()]
        said = {
            "envelope_from": envelope.mail_from,
            "envelope_to": envelope.rcpt_tos,
            "from": str(mail["from"]),
            "to": str(mail["to"]),
            "subject": str(mail["subject"]),
            "content_type": mail.get_content_type(),
            "texts": {part.get_content_type(): part.get_content().replace("\r\n", "\n") for part in texts},
            "list_unsubscribe": mail["list-unsubscribe"] and str(mail["list-unsubscribe"]),
            "list_unsubscribe_post": mail["list-unsubscribe-post"] and str(mail["list-unsubscribe-post"]),
        }
        print(json.dumps(said), flush=True)
        return "250 OK"


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Handler(), enable_SMTPUTF8=True), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
