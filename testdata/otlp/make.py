#!/usr/bin/env python3
"""Makes the fixtures again with opentelemetry-proto (pip install opentelemetry-proto==1.45.2): no recorder of
OpenTelemetry's profiles runs without privileges. Every kind of entry and sample is in one of them."""
from google.protobuf import json_format
from opentelemetry.proto.profiles.v1development import profiles_pb2 as pb
from opentelemetry.proto.common.v1 import common_pb2 as common

START = 1761000000 * 10**9


class Maker:
    def __init__(self):
        self.data = pb.ProfilesData()
        self.d = self.data.dictionary
        self.texts = {}
        self.text("")
        for table in ("mapping_table", "location_table", "function_table", "link_table", "attribute_table", "stack_table"):
            getattr(self.d, table).add()

    def text(self, text):
        if text not in self.texts:
            self.texts[text] = len(self.texts)
            self.d.string_table.append(text)
        return self.texts[text]

    def attribute(self, key, value, unit=""):
        kind = {str: "string_value", bool: "bool_value", int: "int_value", float: "double_value"}[type(value)]
        self.d.attribute_table.add(key_strindex=self.text(key), value=common.AnyValue(**{kind: value}), unit_strindex=self.text(unit))
        return len(self.d.attribute_table) - 1

    def function(self, name, file="", line=0, system=""):
        self.d.function_table.add(name_strindex=self.text(name), filename_strindex=self.text(file), start_line=line,
                                  system_name_strindex=self.text(system))
        return len(self.d.function_table) - 1

    def location(self, lines, mapping=0, address=0, attributes=()):
        self.d.location_table.add(mapping_index=mapping, address=address, attribute_indices=attributes,
                                  lines=[pb.Line(function_index=f, line=n) for f, n in lines])
        return len(self.d.location_table) - 1

    def stack(self, *locations):
        self.d.stack_table.add(location_indices=locations)
        return len(self.d.stack_table) - 1

    def resource(self, name, pid=None):
        r = self.data.resource_profiles.add()
        r.resource.attributes.add(key="service.name").value.string_value = name
        r.resource.attributes.add(key="host.name").value.string_value = "build1"
        if pid:
            r.resource.attributes.add(key="process.pid").value.int_value = pid
        s = r.scope_profiles.add()
        s.scope.name, s.scope.version = "demo", "1.0"
        return s

    def profile(self, scope, kind, unit, **more):
        p = scope.profiles.add(**more)
        p.sample_type.type_strindex, p.sample_type.unit_strindex = self.text(kind), self.text(unit)
        return p


def everything():
    m = Maker()
    m.d.mapping_table.add(memory_start=0x400000, memory_limit=0x500000, file_offset=0x1000, filename_strindex=m.text("/srv/shop"),
                          attribute_indices=[m.attribute("process.executable.build_id.gnu", "9d2c89af")])
    native = m.attribute("profile.frame.type", "native")
    kernel = m.attribute("profile.frame.type", "kernel")
    python = m.attribute("profile.frame.type", "cpython")
    thread = m.attribute("thread.name", "main")
    number = m.attribute("thread.id", 7)
    user = m.attribute("user", "päul")
    size = m.attribute("size", 4096, "bytes")
    flags = [m.attribute("hot", True), m.attribute("load", 0.25)]
    inner, outer = m.function("inline_add", "add.h", 3), m.function("work<int>", "work.cc", 10, "_Z4workIiEvv")
    loop = m.function("loop", "shop.py", 20)
    read = m.function("ksys_read")
    a = m.location([(inner, 5), (outer, 12)], 1, 0x401234, [native])
    b = m.location([(loop, 22)], 0, 0, [python])
    c = m.location([(read, 0)], 0, 0xFFFFFFFF81000000, [kernel])
    d = m.location([], 1, 0x400010)
    m.d.link_table.add(trace_id=bytes(range(16)), span_id=bytes(range(8)))
    first, second, third = m.stack(a, b), m.stack(c, a, b), m.stack(d, b)
    shop, other = m.resource("shop", 100), m.resource("cart")
    p = m.profile(shop, "samples", "count", time_unix_nano=START, duration_nano=10**10, period=10**7)
    p.period_type.type_strindex, p.period_type.unit_strindex = m.text("cpu"), m.text("nanoseconds")
    p.samples.add(stack_index=first, attribute_indices=[thread, number, user], timestamps_unix_nano=[START + 10**9, START + 2 * 10**9])
    p.samples.add(stack_index=second, attribute_indices=[thread, number, size], values=[3], link_index=1)
    p.samples.add(stack_index=third, attribute_indices=flags, values=[2, 4], timestamps_unix_nano=[START + 3 * 10**9, START + 4 * 10**9])
    p.samples.add(values=[1])
    p = m.profile(shop, "cpu", "microseconds", time_unix_nano=START, period=10**4)
    p.period_type.type_strindex, p.period_type.unit_strindex = m.text("cpu"), m.text("microseconds")
    p.samples.add(stack_index=first, attribute_indices=[thread, number], values=[2500])
    p = m.profile(other, "cpu", "microseconds", time_unix_nano=START - 10**9)
    p.samples.add(stack_index=second, values=[-10])
    p = m.profile(other, "inuse_space", "kilobytes")
    p.samples.add(stack_index=first, values=[64])
    p = m.profile(other, "inuse_objects", "count")
    p.samples.add(stack_index=first, values=[2])
    return m.data


def odd():
    """References to what is not there, and values that do not fit."""
    m = Maker()
    f = m.function("f", "f.c", 1)
    a, b = m.location([(f, 2)]), m.location([(99, 4)], mapping=9, attributes=[77])
    m.d.mapping_table.add(filename_strindex=m.text("[vdso]"))
    stack = m.stack(m.location([], 1, 0x7FFE), a, b, 50)
    p = m.profile(m.resource("odd"), "cpu", "seconds")
    p.samples.add(stack_index=stack, values=[2**62], attribute_indices=[66], link_index=5)
    p.samples.add(stack_index=88, values=[1, 2], timestamps_unix_nano=[START])
    m.profile(m.data.resource_profiles[0].scope_profiles[0], "", "").samples.add(stack_index=stack, values=[1])
    return m.data


def older():
    """A profile as opentelemetry-proto wrote it up to 1.7: field 3 are locations."""
    return bytes([0x0A, 10, 0x12, 8, 0x12, 6, 0x0A, 0, 0x1A, 2, 1, 2])


def older_samples():
    """Profiles as opentelemetry-proto wrote them in 1.9: of a sample, field 2 are values, 3 attributes, 4 is the link."""
    values, attributes, link = bytes([0x12, 2, 100, 7]), bytes([0x1A, 2, 1, 2]), bytes([0x20, 1])
    for name, sample in ("values", values), ("attributes", values + attributes), ("link", values + link):
        sample = bytes([8, 0]) + sample
        profile = bytes([0x12, len(sample)]) + sample
        scope = bytes([0x12, len(profile)]) + profile
        resource = bytes([0x12, len(scope)]) + scope
        yield name, bytes([0x0A, len(resource)]) + resource


for name, data in (("everything", everything()), ("odd", odd())):
    with open(name + ".otlp", "wb") as out:
        out.write(data.SerializeToString(deterministic=True))
with open("everything.otlp.json", "w") as out:
    out.write(json_format.MessageToJson(everything(), indent=1))
with open("bad/older.otlp", "wb") as out:
    out.write(older())
for name, data in older_samples():
    with open(f"bad/older-{name}.otlp", "wb") as out:
        out.write(data)
with open("bad/cut.otlp", "wb") as out:
    out.write(everything().SerializeToString(deterministic=True)[:-40])
