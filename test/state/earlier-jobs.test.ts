import {expect, test} from 'vitest';
import {copyCodec} from '../../source/kv/transfer/copy-job.ts';
import {exportCodec} from '../../source/kv/transfer/export-job.ts';
import {anyJobCodec, replayJournal} from '../../source/state/job-record.ts';
import {failureOf} from '../kv/support/workspace.ts';

/** A header of the first versions: without simulated world, context, display names, input and total. */
const header =
	'{"v":1,"id":"abcdefgh","kind":"export","created":1,"title":"export CONFIG","target":{"place":"simulated","account":"a","namespace":"n"},"options":{"path":"/f","over":false}}';

/** A line of progress from before keys under both names were counted and the file of an export was marked. */
const cursor =
	'{"type":"cursor","position":{"place":{"after":"k"},"counts":{"done":2,"bytes":9,"gone":0,"expired":0,"kept":0,"refused":0}},"done":2,"at":5}';

test('a journal of the first version is read', () => {
	const record = replayJournal('/j', [header, cursor], exportCodec);
	expect(record.header).toStrictEqual({
		id: 'abcdefgh',
		kind: 'export',
		created: 1,
		title: 'export CONFIG',
		target: {place: 'simulated', account: 'a', namespace: 'n'},
		options: {path: '/f', over: false},
	});
	expect(record.position).toStrictEqual({
		place: {after: 'k'},
		counts: {done: 2, bytes: 9, gone: 0, expired: 0, kept: 0, refused: 0, both: 0},
	});
	expect([record.done, record.updated]).toEqual([2, 5]);
});

test('target fields that are not text count as missing, and none comes from a prototype', () => {
	const target = '{"place":"p","zone":null,"title":[],"later":1,"__proto__":{"world":"w"}}';
	const line = header.replace(/"target":\{[^}]*\}/, () => `"target":${target}`);
	expect(replayJournal('/j', [line], anyJobCodec).header.target).toStrictEqual({place: 'p'});
});

test.each([
	['a list as the target', header.replace(/"target":\{[^}]*\}/, '"target":[]')],
	['a total that is null', header.replace('"title"', '"total":null,"title"')],
	['an input without its digest', header.replace('"title"', '"input":{"path":"p"},"title"')],
	['options without the file', header.replace('"path":"/f",', '')],
])('%s is reported as damage, with the line', async (_, line) => {
	expect(await failureOf((async () => replayJournal('/j', [line], exportCodec))())).toMatchObject({
		code: 'journal_invalid',
		details: {why: 'Line 1 does not have the expected format.'},
	});
});

test('the options of a copy are read only with a valid source store', () => {
	const options = {onlyMissing: true, failed: '/x', from: {place: 'simulated'}};
	expect(copyCodec.parseOptions({...options, restores: false})).toStrictEqual(options);
	expect(copyCodec.parseOptions({...options, from: 'simulated'})).toBeUndefined();
});
