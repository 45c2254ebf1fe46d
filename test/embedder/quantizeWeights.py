"""Stores the weights of makeOnnx.py's graph as int8; arithmetic stays fp32, so a text's vector does not depend on its batch.

usage: quantizeWeights.py fp32.onnx minilm-l6-v2-w8.onnx    (needs numpy, onnx)
Linear weights: codes [K/G,G,N] times fp16 scale [K/G,1,N], G = 32, unfolded when the session loads. Word table: int8 per row.
"""
import sys, numpy as np, onnx
from onnx import numpy_helper as nh, helper as h, TensorProto as T
def build(src, dst, G, bits=8, emb_group=None):
    m = onnx.load(src); g = m.graph
    I = {t.name: t for t in g.initializer}; pre, drop, add = [], [], []
    qmax = 2 ** (bits - 1) - 1
    for n in g.node:
        if n.op_type == 'MatMul' and n.input[1] in I:
            k = n.input[1]; w = nh.to_array(I[k]); K, N = w.shape; b = w.reshape(K // G, G, N)
            s = (np.abs(b).max(1, keepdims=True) / qmax).astype(np.float16).astype(np.float32); s[s == 0] = 1
            q = np.clip(np.rint(b / s), -qmax, qmax).astype(np.int8)
            add += [nh.from_array(q, k + '.q'), nh.from_array(s.astype(np.float16), k + '.s'), nh.from_array(np.array([K, N], np.int64), k + '.shape')]
            pre += [h.make_node('Cast', [k + '.q'], [k + '.f'], to=T.FLOAT, name=k + '.qf'), h.make_node('Cast', [k + '.s'], [k + '.sf'], to=T.FLOAT, name=k + '.sf'),
                    h.make_node('Mul', [k + '.f', k + '.sf'], [k + '.d'], name=k + '.d'), h.make_node('Reshape', [k + '.d', k + '.shape'], [k], name=k)]
            drop.append(k)
    w = nh.to_array(I['word_emb']); drop.append('word_emb')
    s = (np.abs(w).max(1, keepdims=True) / 127).astype(np.float32); s[s == 0] = 1
    q = np.clip(np.rint(w / s), -127, 127).astype(np.int8)
    add += [nh.from_array(q, 'word_q'), nh.from_array(s, 'word_s')]
    body = [h.make_node('Gather', ['word_q', 'input_ids'], ['we_q'], axis=0, name='we_q'), h.make_node('Gather', ['word_s', 'input_ids'], ['we_s'], axis=0, name='we_s'),
            h.make_node('Cast', ['we_q'], ['we_f'], to=T.FLOAT, name='we_f'), h.make_node('Mul', ['we_f', 'we_s'], ['we'], name='we_mul')]
    nodes = pre + [x for n in g.node for x in (body if n.name == 'we' else [n])]
    keep = [t for t in g.initializer if t.name not in drop + ['c1']] + add
    # positions: int8 would do too, kept fp16
    out = []
    for t in keep:
        if t.name == 'pos_emb':
            out.append(nh.from_array(nh.to_array(t).astype(np.float16), 'pos_h')); nodes.insert(0, h.make_node('Cast', ['pos_h'], ['pos_emb'], to=T.FLOAT, name='pos_cast'))
        else: out.append(t)
    del g.node[:]; g.node.extend(nodes); del g.initializer[:]; g.initializer.extend(out)
    onnx.checker.check_model(m, full_check=True); onnx.save(m, dst)
if __name__ == '__main__':
    build(sys.argv[1], sys.argv[2], 32)
