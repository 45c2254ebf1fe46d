import { describe, expect, it } from 'vitest';
import { createRunQueue } from './runQueue';

const never = new AbortController().signal;
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('runs in a queue', () => {
  it('runs one at a time, in the order in which they were added', async () => {
    const queue = createRunQueue(() => undefined);
    const order: string[] = [];
    let together = 0;
    const work = (name: string) => async () => {
      together += 1;
      expect(together).toBe(1);
      await Promise.resolve();
      order.push(name);
      together -= 1;
      return name;
    };
    const results = await Promise.all(['a', 'b', 'c'].map((name) => queue.add(name, never, work(name))));
    expect(order).toEqual(['a', 'b', 'c']);
    expect(results).toEqual(['a', 'b', 'c']);
  });

  it('goes on after a run that failed', async () => {
    const queue = createRunQueue(() => undefined);
    const first = queue.add('bad', never, () => Promise.reject(new Error('broken')));
    const second = queue.add('good', never, () => Promise.resolve(2));
    await expect(first).rejects.toThrow('broken');
    expect(await second).toBe(2);
  });

  it('lets one leave the line, and says who waits', async () => {
    const { open, opened } = gate();
    let changes = 0;
    const queue = createRunQueue(() => (changes += 1));
    const first = queue.add('first', never, () => opened);
    const leaving = new AbortController();
    const second = queue.add('second', leaving.signal, () => Promise.resolve('ran'));
    const third = queue.add('third', never, () => Promise.resolve('ran'));
    expect(queue.waiting()).toEqual(['second', 'third']);
    leaving.abort();
    expect(queue.waiting()).toEqual(['third']);
    expect(await second).toBeUndefined();
    open();
    await first;
    expect(await third).toBe('ran');
    expect(changes).toBeGreaterThan(4);
  });

  it('begins nothing while it is held', async () => {
    const queue = createRunQueue(() => undefined);
    queue.hold();
    const run = queue.add('held', never, () => Promise.resolve('ran'));
    await Promise.resolve();
    expect(queue.waiting()).toEqual(['held']);
    queue.release();
    expect(await run).toBe('ran');
  });
});
