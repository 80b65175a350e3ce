"""Names of languages, and the folder of a task by the family of its languages."""

from mteb.languages import ISO_TO_LANGUAGE

try:
    import json
    from pathlib import Path

    import mteb

    FAMILIES = json.loads((Path(mteb.__file__).parent / "languages" / "language_family.json").read_text())
except FileNotFoundError:
    FAMILIES = {}

# Codes of several languages, and codes that the table of families lacks.
GROUPS = {
    "afro-asiatic": ["ara", "orm", "ajp", "ber", "auc"],
    "atlantic-congo": ["nbl", "kon", "twi"],
    "austronesian": ["msa", "zsr", "mlg", "kzj"],
    "balto-slavic": ["lvs", "ltg"],
    "basque": ["eus"],
    "germanic": ["nob", "nno", "yid"],
    "indo-european": ["sqi"],
    "indo-iranian": ["nep", "ori", "pus", "kur", "raj", "mwr", "doi", "rom"],
    "mongolic-khitan": ["mon"],
    "romance": ["srd"],
    "sino-tibetan": ["zho"],
    "turkic": ["aze", "uzb"],
}
GROUP_OF = {code: group for group, codes in GROUPS.items() for code in codes}
BRANCHES = {
    "Germanic": "germanic",
    "Italic": "romance",
    "Balto-Slavic": "balto-slavic",
    "Indo-Iranian": "indo-iranian",
}


def family(code: str) -> str:
    """The family of a language as folders are called; English, in which most tasks are, stands for itself."""
    language, script = code.split("-", 1)
    if script == "Code":
        return "code"
    if language == "eng":
        return "english"
    if language in GROUP_OF:
        return GROUP_OF[language]
    levels = FAMILIES.get(language, {})
    if levels.get("level0") == "Indo-European":
        branches = (BRANCHES.get(levels.get(level)) for level in ("level1", "level2"))
        return next((branch for branch in branches if branch), "indo-european")
    return levels.get("level0", "other").lower().replace(" ", "-").replace("'", "")


def folder(codes: list) -> str:
    """The folder of a task in these languages."""
    families = {family(code) for code in codes}
    if "code" in families and families <= {"code", "english"}:
        return "code"
    if families == {"english", "germanic"}:
        return "germanic"
    return families.pop() if len(families) == 1 else "multilingual"


def name(code: str) -> str:
    """The name of a language as people write it."""
    language, script = code.split("-", 1)
    if script == "Code":
        return {"sql": "SQL", "php": "PHP"}.get(language, language.capitalize().replace("script", "Script"))
    return ISO_TO_LANGUAGE.get(language, language).split(" (")[0].split(";")[0]
