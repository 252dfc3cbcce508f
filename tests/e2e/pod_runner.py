"""The part of a kubelet that a simulated one leaves out: processes.

On a lab whose kubelets are simulated a pod is Running as soon as it is bound, and nothing runs. This runs the wrapper of
each such pod on this machine, with the environment that the pod gives it, tells the lab how it ended, and serves its log
where the API server asks kubelets for logs. So two clusters, or more, run real jobs on one machine.
"""

import http.client
import http.server
import json
import os
import pathlib
import signal
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import harness

LINGER = "3600"  # a deleted pod stays until its process has ended, its grace at most


class Api:
    """The API server, as the lab's administrator."""

    def __init__(self, lab):
        env = lab.env()
        self.url, self.token = env["KUBE_API_URL"], env["KUBE_TOKEN"]
        self.context = ssl.create_default_context(cafile=env["KUBE_CA_FILE"])

    def open(self, method, path, body=None, kind="application/json", timeout=30):
        request = urllib.request.Request(self.url + path, None if body is None else json.dumps(body).encode(), method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("Content-Type", kind)
        return urllib.request.urlopen(request, timeout=timeout, context=self.context)

    def ask(self, method, path, body=None, kind="application/json"):
        with self.open(method, path, body, kind) as answer:
            return json.load(answer)

    def merge(self, path, body):
        return self.ask("PATCH", path, body, "application/merge-patch+json")


class Pod:
    def __init__(self, seen):
        self.uid, self.name, self.space = (seen["metadata"][key] for key in ("uid", "name", "namespace"))
        self.path = f"/api/v1/namespaces/{self.space}/pods/{self.name}"
        self.process, self.told_to_stop = None, False


class PodRunner:
    def __init__(self, lab, folder):
        self.lab, self.folder, self.api = lab, pathlib.Path(folder), Api(lab)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.pods, self.lock, self.over = {}, threading.Lock(), threading.Event()
        self.servers = []

    def start(self):
        self.serve_logs()
        threading.Thread(target=self.watch, daemon=True).start()
        return self

    def stop(self):
        self.over.set()
        for server in self.servers:
            server.shutdown()
        with self.lock:
            for pod in self.pods.values():
                if pod.process and pod.process.poll() is None:
                    pod.process.kill()

    # --- pods
    def watch(self):
        """Anew after each interruption, with all that there is then."""
        while not self.over.is_set():
            try:
                listed = self.api.ask("GET", "/api/v1/pods")
                for pod in listed["items"]:
                    self.see(pod)
                self.gone({pod["metadata"]["uid"] for pod in listed["items"]})
                version = listed["metadata"]["resourceVersion"]
                with self.api.open("GET", f"/api/v1/pods?watch=1&resourceVersion={version}", timeout=3600) as stream:
                    for line in stream:
                        event = json.loads(line)
                        if event["type"] == "ERROR":
                            break
                        if event["type"] == "DELETED":
                            self.kill(event["object"]["metadata"]["uid"])
                        elif event["type"] != "BOOKMARK":
                            self.see(event["object"])
            except (OSError, ValueError, http.client.HTTPException):
                time.sleep(0.3)

    def gone(self, present):
        with self.lock:
            lost = [uid for uid in self.pods if uid not in present]
        for uid in lost:
            self.kill(uid)

    def kill(self, uid):
        with self.lock:
            pod = self.pods.get(uid)
        if pod and pod.process and pod.process.poll() is None:
            os.killpg(pod.process.pid, signal.SIGKILL)

    def see(self, seen):
        if not is_ours(seen):
            return
        deleted = "deletionTimestamp" in seen["metadata"]
        with self.lock:
            pod = self.pods.get(seen["metadata"]["uid"])
            fresh = pod is None and not deleted and seen["status"].get("phase") == "Running"
            if fresh:
                pod = self.pods[seen["metadata"]["uid"]] = Pod(seen)
        if fresh:
            threading.Thread(target=self.run, args=(pod, seen), daemon=True).start()
        elif pod and deleted and not pod.told_to_stop and pod.process:
            pod.told_to_stop = True
            if pod.process.poll() is None:
                pod.process.send_signal(signal.SIGTERM)

    def run(self, pod, seen):
        home = self.folder / pod.uid
        home.mkdir()
        self.tell(pod, {"kube-lab.test/stop-after": LINGER})
        with self.log_of(pod.space, pod.name).open("wb") as log:
            pod.process = subprocess.Popen([str(harness.BIN / "ym-task")], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           env=environment(seen, home), cwd=home, start_new_session=True)
        code = pod.process.wait()
        code = 128 - code if code < 0 else code
        self.tell(pod, {"kube-lab.test/exit": str(code), "kube-lab.test/run": "0", "kube-lab.test/stop-exit": str(code),
                        "kube-lab.test/stop-after": "0"})

    def tell(self, pod, annotations):
        while not self.over.is_set():
            try:
                return self.api.merge(pod.path, {"metadata": {"annotations": annotations}})
            except urllib.error.HTTPError as error:
                if error.code == 404:
                    return None
            except (OSError, ValueError, http.client.HTTPException):
                pass
            time.sleep(0.3)
        return None

    # --- logs
    def log_of(self, space, name):
        return self.folder / f"{space}-{name}.log"

    def serve_logs(self):
        """On the address of each node, with a certificate that the lab's authority signs."""
        addresses = {}
        for node in self.api.ask("GET", "/api/v1/nodes")["items"]:
            for address in node["status"].get("addresses", []):
                if address["type"] == "InternalIP":
                    addresses[node["metadata"]["name"]] = address["address"]
        if not addresses:
            return
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.certificate(sorted(addresses.values())))
        port = None
        for name, address in sorted(addresses.items()):
            server = http.server.ThreadingHTTPServer((address, port or 0), handler_of(self))
            server.daemon_threads = True
            server.socket = context.wrap_socket(server.socket, server_side=True)
            port = server.server_address[1]
            self.servers.append(server)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.api.merge(f"/api/v1/nodes/{name}/status", {"status": {"daemonEndpoints": {"kubeletEndpoint": {"Port": port}}}})

    def certificate(self, addresses):
        etc, key, request, made = self.lab.folder / "etc", self.folder / "kubelet.key", self.folder / "kubelet.csr", self.folder / "kubelet.crt"
        names = self.folder / "kubelet.ext"
        names.write_text("subjectAltName=" + ",".join(f"IP:{address}" for address in addresses), encoding="ascii")
        for command in (["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=kubelets",
                         "-keyout", key, "-out", request],
                        ["x509", "-req", "-in", request, "-CA", etc / "ca.crt", "-CAkey", etc / "ca.key", "-set_serial", "7", "-days", "2",
                         "-extfile", names, "-out", made]):
            subprocess.run(["openssl", *map(str, command)], check=True, capture_output=True, stdin=subprocess.DEVNULL)
        return made, key


def is_ours(seen):
    return any(key.startswith("yardmaster.dev/") for key in seen["metadata"].get("labels", {}))


def environment(seen, home):
    """What the pod's container is given; the folders of its image are below `home`."""
    fields = {"status.podIP": seen["status"].get("podIP", ""), "spec.nodeName": seen["spec"].get("nodeName", ""),
              "metadata.name": seen["metadata"]["name"]}
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8"}
    for variable in seen["spec"]["containers"][0].get("env", []):
        source = variable.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath")
        value = fields[source] if source else variable.get("value", "")
        env[variable["name"]] = value.replace("/ym-task/", f"{home}/") if variable["name"].startswith("YM_TASK_") and \
            variable["name"] != "YM_TASK_URL" else value
    return env


def handler_of(runner):
    class Logs(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            url = urllib.parse.urlsplit(self.path)
            words = url.path.strip("/").split("/")
            log = runner.log_of(words[1], words[2]) if len(words) == 4 and words[0] == "containerLogs" else None
            if log is None or not log.exists():
                self.send_error(404)
                return
            data = log.read_bytes()
            options = urllib.parse.parse_qs(url.query)
            if "tailLines" in options:
                data = b"".join(data.splitlines(keepends=True)[-int(options["tailLines"][0]):])
            if "limitBytes" in options:
                data = data[:int(options["limitBytes"][0])]
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    return Logs
