import pytest

from headrace.cli.demo.pagila import stage as module
from headrace.cli.demo.pagila.stage import s3_environment, stage
from headrace.cli.output import JsonOutput, TextOutput

life: list[str] = []


class FakeService:
    name = "service"
    url = "postgresql://u@h:1/postgres"
    endpoint = "http://h:2"
    bootstrap_servers = "h:3"

    def __init__(self, folder, *arguments, **options):
        self.folder, self.arguments, self.options = folder, arguments, options
        self.log = folder.parent / "worker.log"

    def start(self, progress):
        life.append(f"+{self.folder.name}")

    def stop(self):
        life.append(f"-{self.folder.name}")

    def client(self):
        return "boto"


class FakeDatabase:
    def __init__(self, url):
        assert url == FakeService.url

    def environment(self):
        return {"PAGILA_USER": "u"}

    def close(self):
        life.append("-database")


class FakeReader:
    def __init__(self, servers):
        assert servers == "h:3"

    def close(self):
        life.append("-topics")


@pytest.fixture(autouse=True)
def fakes(monkeypatch):
    life.clear()
    for name in ("KafkaService", "PostgresService", "S3Service", "WorkerService"):
        monkeypatch.setattr(module, name, FakeService)
    monkeypatch.setattr(module, "Database", FakeDatabase)
    monkeypatch.setattr(module, "TopicReader", FakeReader)


def test_services_start_in_order_and_stop_in_reverse(tmp_path):
    with stage(JsonOutput(), tmp_path) as made:
        assert life == ["+kafka", "+postgres", "+s3", "+connect"]
        servers, environment = made.worker.arguments
        assert servers == "h:3"
        assert environment == {"PAGILA_USER": "u", **s3_environment("http://h:2")}
        assert made.bucket.name == environment["PAGILA_BUCKET"]
    assert life[4:] == ["-topics", "-connect", "-database", "-s3", "-postgres", "-kafka"]


def test_what_had_started_is_stopped_when_the_next_does_not(tmp_path, monkeypatch):
    def fail(url):
        raise RuntimeError("no room")

    monkeypatch.setattr(module, "Database", fail)
    with pytest.raises(RuntimeError), stage(JsonOutput(), tmp_path):
        pass
    assert life == ["+kafka", "+postgres", "+s3", "-s3", "-postgres", "-kafka"]


@pytest.mark.parametrize("verbose", [True, False])
def test_the_log_of_a_worker_that_failed_is_shown_on_request(tmp_path, capsys, verbose):
    (tmp_path / "worker.log").write_text("ERROR no such bucket")
    with pytest.raises(RuntimeError), stage(TextOutput(verbose), tmp_path):
        raise RuntimeError
    assert ("no such bucket" in capsys.readouterr().err) is verbose


def test_the_database_is_never_the_user_s_own(tmp_path, monkeypatch):
    made = []

    class Postgres(FakeService):
        def __init__(self, folder, **options):
            super().__init__(folder, **options)
            made.append(options)

    monkeypatch.setattr(module, "PostgresService", Postgres)
    with stage(JsonOutput(), tmp_path):
        pass
    assert made == [{"own": True}]


def test_credentials_are_where_clients_of_s3_look():
    assert {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} <= s3_environment("http://h").keys()
