"""Python literals with what real Python makes of them: pythonCorpus.json. `python3 test/discovery/makePythonCorpus.py`."""
import ast
import inspect
import json
import pathlib
import re
import textwrap

P = "You are a kind assistant. "


class Value(str):
    """A value that shows where it is put, whatever is done to it."""

    def __format__(self, spec):
        return str(self)

    def __repr__(self):
        return str(self)

    def __getattr__(self, name):
        raise AttributeError(name)


def v(name):
    return Value("{" + name + "}")


class Thing:
    def __init__(self, **parts):
        self.__dict__.update(parts)


NAMES = {
    "name": v("name"), "q": v("q"), "x": v("x"), "y": v("y"), "w": 3, "n": v("n"),
    "user": Thing(name=v("user.name"), first=Thing(last=v("user.first.last"))),
    "row": {"id": v("row_id"), 'a': v("row_a")},
    "items": Value("{items}"),
    "textwrap": textwrap, "dedent": textwrap.dedent, "inspect": inspect, "cleandoc": inspect.cleandoc,
}

# Source of an expression; what it must give is Python's word.
CASES = [
    ("double", f'"{P}Answer in one word."'),
    ("single with an apostrophe", "'" + P + "Don\\'t explain.'"),
    ("line feed", f'"{P}\\nAnswer.\\n"'),
    ("tab escape", f'"{P}a\\tb"'),
    ("tab itself", f'"{P}a\tb"'),
    ("carriage return", f'"{P}\\r\\nAnswer."'),
    ("bell and the like", f'"{P}\\a\\b\\f\\v end"'),
    ("octal", f'"{P}\\101\\60\\0 end"'),
    ("octal of one, two, three digits", f'"{P}\\7\\77\\177 end"'),
    ("hex", f'"{P}\\x41\\xe9 end"'),
    ("u", f'"{P}\\u00e9\\u2014 end"'),
    ("U beyond the plane", f'"{P}\\U0001F600 end"'),
    ("surrogate pair itself", f'"{P}😀 and 👩‍👩‍👧 end"'),
    ("combining marks", f'"{P}e\u0301 n\u0303 end"'),
    ("right to left", f'"{P}שלום עולם مرحبا end"'),
    ("chinese", '"你是一个有帮助的助手。请用一句话回答用户的问题，不要解释。"'),
    ("named", f'"{P}\\N{{BULLET}} one \\N{{EM DASH}} two"'),
    ("unknown escape", f'r"{P}" "a\\\\d"'),
    ("backslash", f'"{P}C:\\\\temp"'),
    ("quotes", f'"{P}Say \\"yes\\" or \'no\'."'),
    ("continued line", f'"{P}\\\nAnswer."'),
    ("raw", f'r"{P}\\n stays, \\d+ too"'),
    ("raw with a quote", f'r"{P}a \\" stays"'),
    ("capital raw", f'R"""{P}\\n stays\n"""'),
    ("unicode prefix", f'u"{P}Fine."'),
    ("triple", f'"""{P}\nAnswer\n  indented.\n"""'),
    ("triple with quotes", f'"""{P}Say "yes" or ""no"".\n"""'),
    ("triple single", f"'''{P}\nIt's \"fine\".\n'''"),
    ("triple continued", f'"""\\\n{P}\nAnswer.\\\n"""'),
    ("triple with tabs", f'"""{P}\n\tone\n\t\ttwo\n"""'),
    ("triple with trailing blanks", f'"""{P}   \n\n   \nAnswer.   """'),
    ("implicit", f'("{P}" "Answer.")'),
    ("implicit over lines", f'(\n    "{P}"\n    "Answer {{x}}."\n    \'Now.\'\n)'),
    ("implicit with a comment", f'(\n    "{P}"  # first\n    "Answer."\n)'),
    ("mixed prefixes", f'("{P}" r"\\d" f" {{name}}")'),
    ("sum", f'"{P}" + "Answer."'),
    ("sum of three", f'("{P}" + "One.\\n" + \'Two.\')'),
    ("sum with a value", f'"{P}" + name + ", answer."'),
    ("sum over lines", f'(\n    "{P}\\n"\n    + "Answer."\n)'),
    ("sum with a comment", f'("{P}" +  # first\n "Answer.")'),
    ("sum continued", f'"{P}" \\\n  + "Answer."'),
    ("join", f'"\\n".join(["{P}", "Answer.", "Now."])'),
    ("join of a tuple", f'" ".join(("{P}", "Answer."))'),
    ("join over lines", f'"\\n\\n".join(\n    [\n        "{P}",\n        "Answer\\tnow.",\n    ]\n)'),
    ("f", f'f"{P}Your name is {{name}}."'),
    ("f twice the same", f'f"{P}{{name}}, yes {{name}}."'),
    ("f attribute", f'f"{P}Hello {{user.name}}, {{user.first.last}}."'),
    ("f index", f'f"{P}Row {{row[\'id\']}}."'),
    ("f conversion", f'f"{P}Row {{x!r}}."'),
    ("f spec", f'f"{P}Row {{x:>10}}."'),
    ("f nested spec", f'f"{P}Row {{x!r:>{{w}}}}."'),
    ("f braces", f'f"{P}{{{{json}}}} {{x}} {{{{\\"a\\": 1}}}}"'),
    ("f escapes", f'f"{P}\\n\\u00e9 {{x}} \\x41"'),
    ("f self-documenting", f'f"{P}{{x=}} and {{y = }}"'),
    ("f triple", f'f"""{P}\nContext:\n{{q}}\n\nQuestion: {{x}}\n"""'),
    ("raw f", f'rf"{P}\\d+ {{x}} {{{{y}}}}"'),
    ("f implicit", f'(f"{P}{{x}} "\n "then {{y}} "\n f"{{y}}")'),
    ("f with surrogates", f'f"{P}😀 {{x}} 😀"'),
    ("format", f'"{P}Say {{a}} and {{b}}.".format(a=v("a"), b=v("b"))'),
    ("format braces", f'"{P}{{{{json}}}} {{a}}".format(a=v("a"))'),
    ("percent", f'"{P}Say %s, %s and 5%%." % (x, y)'),
    ("percent of one", f'"{P}Say %s." % x'),
    ("percent by name", f'"{P}Say %(k)s." % {{"k": v("k")}}'),
    ("dedent", f'textwrap.dedent("""\n    {P}\n      Answer.\n\n    Now.\n""")'),
    ("dedent with continuation", f'dedent("""\\\n    {P}\n    Answer.\n    """)'),
    ("dedent strip", f'textwrap.dedent("""\n        {P}\n        Answer.\n    """).strip()'),
    ("dedent of tabs", f'textwrap.dedent("""\n\t\t{P}\n\t\t\tAnswer.\n\t\t""")'),
    ("dedent f", f'textwrap.dedent(f"""\n    {P}\n      {{x}} {{{{y}}}}\n    """)'),
    ("dedent blanks", f'textwrap.dedent("""\n    {P}\n  \n    Answer.\n    """)'),
    ("cleandoc", f'inspect.cleandoc("""\n    {P}\n      Answer.\n\n    """)'),
    ("cleandoc first line", f'cleandoc("""{P}\n    Answer.\n      Then.\n    """)'),
    ("strip", f'"""\n{P}\nAnswer.\n""".strip()'),
    ("lstrip", f'"""\n  {P}\n""".lstrip()'),
    ("rstrip", f'"""\n{P}  \n""".rstrip()'),
    ("mustache stays", f'"{P}Hello {{{{name}}}}."'),
    ("nested parentheses", f'((("{P}Fine.")))'),
]

ESCAPE = re.compile(r"\\(?:\r\n|N\{[^}]+\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.S)

cases = []
escapes = {}
for name, source in CASES:
    for ends, text in (("LF", source), ("CRLF", source.replace("\n", "\r\n"))):
        if ends == "CRLF" and "\n" not in source:
            continue
        # As Python reads a file: universal line ends.
        value = eval(text.replace("\r\n", "\n"), {**NAMES, "v": v})
        for match in ESCAPE.findall(text):
            try:
                escapes[match] = ast.literal_eval('"' + match.replace("\r\n", "\n") + '"')
            except (SyntaxError, ValueError):
                pass
        cases.append({"name": f"{name}, {ends}", "source": text, "text": str(value)})

out = pathlib.Path(__file__).with_name("pythonCorpus.json")
out.write_text(json.dumps({"cases": cases, "escapes": escapes}, indent=1, ensure_ascii=True) + "\n")
print(len(cases), "cases,", len(escapes), "escapes")
