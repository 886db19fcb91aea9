import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {actions} from '../../../../source/screens/actions.ts';
import type {SessionOptions} from '../../../../source/session/parts.ts';
import {serveSimulator} from '../../../support/serve-simulator.ts';
import {acme, withContexts} from '../../support/contexts.ts';
import {agree, asked, keyWalks, removeNamespace, written} from '../../support/production-ways.ts';
import {zoneWalks} from '../../support/production-zone-ways.ts';
import {toNamespaces} from '../../support/sample-ways.ts';
import {drawnScreen} from '../../support/screen.tsx';

const walks = {...keyWalks, ...zoneWalks};

test.each(
	Object.entries(walks),
)('every write to %s asks in production, and sends nothing unless the answer is yes', async (_, walk) => {
	await using service = await serveSimulator();
	const cwd = withContexts(service);
	writeFileSync(join(cwd, 'put.json'), '[{"key":"new","value":"a"},{"key":"newer","value":"b"}]');
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	const screen = await drawnScreen(walk.options ?? {}, {cwd, env, rows: 15});
	await walk.to(screen);
	for (const {begins, again = begins, where, sends, faults = '', ends} of walk.steps) {
		const before = written(service).length;
		const sent = () => written(service).slice(before);
		await begins(screen);
		await asked(screen, where);
		screen.press('esc');
		await screen.waitFor('was not confirmed');
		expect(sent()).toEqual([]);
		await again(screen);
		await service.setFaults(faults);
		await agree(screen);
		await screen.waitFor(ends);
		await service.setFaults('');
		expect(sent()).toContainEqual(expect.stringMatching(sends));
	}
});

describe('every action of the screens', () => {
	const of = (area: string, names: string) => names.split(' ').map(name => `${area}.${name}`);
	/** Those that open what another one sends, after it was typed or looked at. */
	const leading = [
		...['value', 'elsewhere', 'metadata', 'expiry', 'delete', 'undo', 'new'].map(id => `edit.${id}`),
		...['editor.review', 'keys.bulk', 'keys.delete-below', 'trash.open', 'key.load', 'keys.load'],
		...['new-rule', 'new-filter', 'emergency', 'edit', 'edit-expression', 'rule-on-filter'].map(
			id => `firewall.${id}`,
		),
		...['new', 'edit', 'copy-rule', 'move', 'versions', 'emergency', 'merge'].map(id => `custom.${id}`),
		...['firewall.merge', 'merge.review', 'merge.file', 'merge.old'],
		...['review', 'versions'].map(id => `managed.${id}`),
		...['go.emergency', 'go.emergency-migration', 'events.emergency', 'events.exception'],
		'validation.exception',
		...['reviewed', 'choose', 'onward', 'to-review', 'edit-rule'].map(id => `migration.${id}`),
	];
	/** Those that resume after a pause what the person has agreed to when it began. */
	const resuming = ['bulk.resume', 'transfer.resume', 'jobs.unpause'];
	/** Those that do what the one that opened the dialog does. */
	const answering = ['yes', 'other', 'submit', 'choose', 'perform'].map(id => `dialog.${id}`);
	/** Those that ask the service, and change nothing. */
	const reading = [
		...['namespaces.open', 'namespaces.where', 'keys.open', 'keys.all', 'keys.export', 'keys.compare'],
		...['keys.save', ...['back', 'forward', 'back-menu', 'forward-menu'].map(id => `go.${id}`)],
		...['keys.search-values', 'search.open', 'search.continue', 'search.again'],
		...['keys.stats', 'namespaces.stats', 'stats.start', 'stats.open', 'stats.narrow'],
		...['review.request', 'compare.open', 'zones.migration', 'zones.managed'],
		...['zones.open', 'contexts.choose', 'go.managed', 'go.custom-rules', 'zones.custom-rules'],
		...['firewall', 'zones', 'contexts', 'migration', 'jobs', 'namespaces', 'activity', 'home'].map(
			id => `go.${id}`,
		),
		...['firewall', 'zones', 'jobs', 'namespaces', 'activity', 'home'].map(id => `go.${id}-menu`),
		...['events', 'managed', 'custom-rules'].map(id => `go.${id}-menu`),
		...['custom.to-rules', 'custom.to-filters', 'firewall.to-custom', 'firewall.back-to-custom'],
		...['customRule.choose', 'custom.rate-limits', 'firewall.rate-limits', 'merge.zone'],
		...['metrics.open', 'metrics.days', 'metrics.all', 'migration.events'],
		...[
			'go.events',
			...['custom', 'firewall', 'limits', 'managed', 'catalogue', 'zones'].map(id => `${id}.events`),
		],
		...['next', 'before', 'longer', 'shorter', 'narrow', 'rule'].map(id => `events.${id}`),
		...['rules', 'paths', 'addresses', 'countries', 'events'].map(id => `events.list-${id}`),
		...['jobs.look-again', 'home.choose', 'home.open', 'reload', 'migration.reload', 'edits.unsaved'],
	];
	/** Those that change only what is shown, typed, copied or kept here, or stop something. */
	const local = [
		...'help palette back details suspend quit'.split(' '),
		...of('dialog', 'no close leave down up page-down page-up empty quit complete mode'),
		...of('filter', 'accept empty clear'),
		...of('namespaces', 'pair filter sort copy'),
		...of('keys', 'close-group select select-all copy filter arrange sort'),
		...of('edit', 'discard'),
		...of('editor', 'leave elsewhere suspend quit help'),
		...of('review', 'down up line-down line-up first last cancel'),
		...of(
			'key',
			'fold right left fold-all form form-before find find-next find-previous in-full wrap copy copy-all save pager',
		),
		...of('bulk', 'pause cancel cancel-keeping refused copy'),
		...of('zones', 'filter order details copy'),
		...of('contexts', 'filter copy'),
		...of('firewall', 'detail list to-filters to-rules related filter copy copy-id'),
		...of('custom', 'detail list drop-move filter copy copy-id'),
		...of(
			'catalogue',
			'pick mark next before down up page-down page-up first last copy leave suspend quit help',
		),
		...of('left', 'recreate review undo filter copy'),
		...of('versions', 'filter copy'),
		...of('merge', 'before behind stop curl copy-requests more'),
		...of('events', 'open lists plot-by filter copy copy-address copy-path copy-rule'),
		...of('validation', 'all copy detail.down detail.up'),
		...of('limits', 'detail list change filter copy copy-id'),
		...of(
			'managed',
			'edit-toggle edit-action edit-override edit-exception edit-paranoia edit-threshold edit-change-exception edit-remove deploy browse left-behind undo copy curl copy-requests why aside.down aside.up page-down',
		),
		...of(
			'customRule',
			'take next-line next format problem on toggle choice-down choice-up curl copy-requests copy stop page-down page-up line-down line-up first last back details suspend quit menu-quit help menu-help',
		),
		...of(
			'wizard',
			'take next-line next format problem on toggle choice-down choice-up curl copy-requests copy stop page-down page-up line-down line-up first last back details suspend quit menu-quit help menu-help',
		),
		...of(
			'emergency',
			'take next format problem choose read-on order custom curl copy-requests copy stop page-down page-up line-down line-up first last back details suspend quit menu-quit help menu-help',
		),
		...of(
			'migration',
			'read-on edit json edit-toggle edit-action edit-override edit-exception edit-paranoia edit-threshold edit-change-exception edit-remove undo editor stop back down up list-page-down list-page-up list-first list-last aside.down aside.up text.page-down text.page-up text.first text.last page-down page-up line-down line-up first last confirming.page-down confirming.page-up copy details suspend quit menu-quit help menu-help',
		),
		...of('menu', 'palette'),
		...of('transfer', 'copy-path pause cancel'),
		...of('compare', 'filter copy'),
		...of('jobs', 'forget pause filter'),
		...of('activity', 'copy filter'),
		...of('search', 'filter copy'),
		...of('stats', 'section section-before sample copy'),
		...of('move', 'down up page-down page-up first last filter-down filter-up'),
		...of('too-small', 'quit suspend'),
	];

	test('writes, leads to a write, reads, or does neither', () => {
		const writing = Object.values(walks).flatMap(({steps}) => steps.flatMap(({does}) => does));
		const named = [...writing, ...leading, ...resuming, ...answering, ...reading, ...local];
		const ids = actions.map(({id}) => id);
		expect([...named].sort()).toEqual([...new Set(ids)].sort());
	});
});

test.each([
	['a variable', {CLOUDFLARE_ACCOUNT_ID: acme.id}, {}, ''],
	['an option', {}, {accountId: acme.id}, ''],
	['the configuration file of a binding', {}, {}, `account_id = "${acme.id}"\n`],
] as const)('production applies when %s has chosen the account', async (_, chosen, options: SessionOptions, configuration) => {
	await using service = await serveSimulator({accounts: 2});
	const cwd = withContexts(service);
	const binding = '[[kv_namespaces]]\nbinding = "IT"\nid = "f406ca271a253d6e7fe341d7a1faa59c"\n';
	if (configuration !== '') writeFileSync(join(cwd, 'wrangler.toml'), `${configuration}${binding}`);
	const screen = await drawnScreen(options, {cwd, env: {...service.env, ...chosen}, rows: 15});
	await screen.waitFor(/Account +prod/);
	await toNamespaces(screen);
	await removeNamespace(screen, 'CONFIG');
	await asked(screen, /In prod \(account 910896fde4470afb4fab0b3c5e3aaff8\)/);
	screen.press('esc');
	await screen.waitFor('was not confirmed');
	expect(written(service)).toEqual([]);
});
