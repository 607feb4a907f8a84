"""Record formats: what each declares, and the codec that runs them in the JVM."""

from headrace.formats.base import Format, Part
from headrace.formats.codec import FormatUse
from headrace.formats.registry import FORMATS, format_named

__all__ = ["FORMATS", "Format", "FormatUse", "Part", "format_named"]
