"""Reads the entries of a journal with Beancount's importer of CSV files, and prints the balance of each account."""
import sys
from beancount.core.inventory import Inventory
from beancount.ingest.cache import get_file
from beancount.ingest.importers.csv import Col, Importer

ACCOUNT = 2


def of_its_account(transaction, row):
    name = "Assets:Handstamp:" + row[ACCOUNT].title().replace("-", "").replace(" ", "")
    return transaction._replace(postings=[transaction.postings[0]._replace(account=name)])


columns = {
    Col.DATE: "Date (UTC)",
    Col.AMOUNT_DEBIT: "Debit in US dollars",
    Col.AMOUNT_CREDIT: "Credit in US dollars",
    Col.NARRATION: "Kind",
}
importer = Importer(columns, "Assets:Handstamp", "USD", categorizer=of_its_account, invert_sign=True, encoding="utf-8-sig")
balances = {}
for entry in importer.extract(get_file(sys.argv[1])):
    for posting in getattr(entry, "postings", []):
        balances.setdefault(posting.account, Inventory()).add_position(posting)
for name, balance in sorted(balances.items()):
    print(name.rsplit(":", 1)[1], balance.get_currency_units("USD").number)
