#!/usr/bin/env python3
"""Records what Python's codecs encode every character as: one file per codec, beside this script.

A line is the code point of its first character in hex, a colon, and the bytes of that character and of those after it,
each in hex. A line ends before a character that the codec does not have.
"""
import pathlib
import platform

CODECS = ["cp1252", "cp932", "euc_jp", "gbk", "gb18030", "latin_1"]
A_LINE = 32


def encode(codec, character):
    try:
        encoded = character.encode(codec)
    except UnicodeEncodeError:
        return None
    if codec == "gb18030" and (len(encoded) > 2 or encode("gbk", character) is not None):
        return None  # Of it only what it adds to GBK in two bytes.
    return encoded


for codec in CODECS:
    lines = []
    follows = None
    for code_point in range(0x80, 0x110000):
        encoded = encode(codec, chr(code_point))
        if encoded is None:
            continue
        if code_point != follows or len(lines[-1]) > A_LINE:
            lines.append([f"{code_point:X}:"])
        lines[-1].append(encoded.hex())
        follows = code_point + 1
    head = f"# Codec {codec} of Python {platform.python_version()}, by record.py."
    text = "\n".join([head, *(" ".join(line) for line in lines)]) + "\n"
    (pathlib.Path(__file__).parent / f"{codec}.txt").write_text(text, encoding="ascii")
