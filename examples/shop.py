"""Example of a shop with an affiliate program, written with `affiliate-sdk`: from a campaign to a paid payout, with signed events.

    SERVICE_URL=http://127.0.0.1:3000 API_KEY=apk_… ACCOUNT_ID=acct_… python3 shop.py
"""

import http.client
import json
import os
import queue
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, HTTPServer

from affiliate_sdk import AffiliateProgram, RequestOptions, webhooks

url = os.environ["SERVICE_URL"]
program = AffiliateProgram(url, api_key=os.environ["API_KEY"], account_id=os.environ["ACCOUNT_ID"])

# Receives events.
received: queue.Queue = queue.Queue()
ready = threading.Event()
endpoint = {}


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        ready.wait()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        received.put(webhooks.verify(body, dict(self.headers), endpoint["signing_secret"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
endpoint = program.webhook_endpoints.create(
    name="Shop",
    url=f"http://127.0.0.1:{receiver.server_port}/",
    event_types=["affiliate.created", "commission.created", "payout.paid"],
)
ready.set()

# Ada promotes the shop.
campaign = program.campaigns.create(
    name="Friends of the shop",
    url="https://shop.example.com",
    reward_type="percent",
    commission_percent=20,
    days_until_commissions_are_due=0,
    default=True,
)
ada = program.affiliates.create(email="ada@example.com", first_name="Ada")
link = program.links.create(affiliate_id=ada["id"], campaign_id=campaign["id"], url=campaign["url"])

# A visitor clicks her link and buys for 50 dollars. Later, 10 dollars are refunded.
service = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)
click = urllib.parse.urlsplit(link["tracking_url"])
# Browsers say what they are. Programs that do not are redirected without a referral.
service.request("GET", f"{click.path}?{click.query}", headers={"User-Agent": "curl"})
destination = urllib.parse.urlsplit(service.getresponse().getheader("Location"))
referral_id = urllib.parse.parse_qs(destination.query)["referral"][0]
program.tracking.record_sale(
    referral_id=referral_id,
    external_id="order-1001",
    amount_cents=5_000,
    currency="USD",
    customer_email="grace@example.com",
)
program.tracking.record_refund(external_id="order-1001", refund_id="refund-1", amount_cents=1_000)

# The shop pays what it owes.
owed = sum(commission["amount_cents"] for commission in program.commissions.list(state=["due"]))
for payout in program.payouts.list(eligible=True):
    options = RequestOptions(idempotency_key=f"pay-{payout['id']}")
    program.payouts.pay(payout["id"], payment_reference="transfer 42", options=options)

event = received.get(timeout=30)
while event["type"] != "payout.paid":
    event = received.get(timeout=30)
paid = event["data"]
print(json.dumps({"owed": owed, "paid": paid["amount_cents"], "reference": paid["payment_reference"]}))
