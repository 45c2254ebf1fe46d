"""Recomputes golden50.json, ids and vectors, with the Python reference; the texts are taken from the file itself.

usage: makeGolden.py FOLDER_OF_ALL_MINILM_L6_V2    (needs sentence-transformers, torch)
"""
import json, os, sys
os.environ['HF_HUB_OFFLINE'] = '1'
import sentence_transformers, tokenizers, torch, transformers
from sentence_transformers import SentenceTransformer

folder = sys.argv[1]
file = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'golden50.json')
golden = json.load(open(file))
model = SentenceTransformer(folder, device='cpu')
tokenizer = tokenizers.Tokenizer.from_file(os.path.join(folder, 'tokenizer.json'))
# The file says `truncate and pad to 128`; sentence-transformers reads 256 tokens and pads nothing.
tokenizer.no_padding()
tokenizer.no_truncation()
rows = []
for text in (row['text'] for row in golden['rows']):
    ids = tokenizer.encode(text).ids
    truncated = len(ids) > 256
    if truncated:
        ids = ids[:255] + [102]
    assert model.tokenizer(text, truncation=True, max_length=256)['input_ids'] == ids, text[:30]
    vector = model.encode([text])[0]
    rows.append({'text': text, 'ids': ids, 'truncated': truncated, 'embedding': [round(float(x), 6) for x in vector]})
golden['reference'] = (
    f'sentence-transformers {sentence_transformers.__version__}, transformers {transformers.__version__}, '
    f'torch {torch.__version__} cpu fp32, max_seq_length 256, mean pooling, L2')
golden['rows'] = rows
json.dump(golden, open(file, 'w'), ensure_ascii=True)
