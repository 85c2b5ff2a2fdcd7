"""Writes qaviz/reading/tables/cldr.toml: names of months, weekdays and currencies, from Unicode's CLDR in babel.

`python -m benchmarks.cldr`; run it when babel brings a new CLDR.
"""

import re
from pathlib import Path

import babel
from babel import Locale

LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl", "nb", "vi", "ja", "zh", "ca", "eu", "gl"]
CODES = (
    "USD EUR GBP JPY CNY INR VND KRW CHF RUB PLN MXN THB TRY SEK NOK DKK ISK CAD AUD NZD HKD SGD TWD BRL ARS CLP COP "
    "ZAR NGN EGP ILS SAR AED IDR MYR PHP CZK HUF RON BGN UAH PKR LKR NPR KWD IQD RSD XOF XAF"
)
SPACED_APART = ("ja", "zh")
OUT = Path(__file__).parent.parent / "qaviz" / "reading" / "tables" / "cldr.toml"


def _plain(name: str) -> str:
    return re.sub(r"^(?:de |d['’])", "", name.lower()).rstrip(".").replace(" ", "_").replace("\u00a0", "_")


def _named(locale: Locale, names: str, first: int) -> dict[int, list[str]]:
    named: dict[int, list[str]] = {}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in getattr(locale, names)[context][width].items():
                plain = _plain(name)
                if len(plain) > 2 and not any(map(str.isdigit, plain)) and plain not in named.get(number + first, ()):
                    named.setdefault(number + first, []).append(plain)
    return named


def _currencies(locale: Locale) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for code in CODES.split():
        plural = locale._data["currency_names_plural"].get(code, {}).values()
        names = {_plain(name) for name in (locale.currencies.get(code, ""), *plural)}
        named[code] = sorted(name for name in names if any(map(str.isalpha, name)) and name != code.lower())
    return {code: names for code, names in named.items() if names}


def _section(title: str, table: dict[int, list[str]] | dict[str, list[str]]) -> str:
    rows = "\n".join(f'{key} = "{" ".join(words)}"' for key, words in table.items())
    return f"[{title}]\n{rows}\n"


def main() -> None:
    """Write the table."""
    source = f"# Names from Unicode's CLDR, as babel {babel.__version__} ships it"
    parts = [f'{source}; by `python -m benchmarks.cldr`, not by hand.\ncodes = "{CODES}"\n']
    for code in LANGUAGES:
        locale = Locale.parse(code)
        name = "no" if code == "nb" else code
        if code not in (*SPACED_APART, "vi"):
            parts += [_section(f"months.{name}", _named(locale, "months", 0))]
        parts += [_section(f"weekdays.{name}", _named(locale, "days", 1))]
        parts += [_section(f"currencies.{name}", _currencies(locale))]
    OUT.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
