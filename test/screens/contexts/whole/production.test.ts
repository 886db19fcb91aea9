import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {actions} from '../../../../source/screens/actions.ts';
import type {SessionOptions} from '../../../../source/session/parts.ts';
import {serveSimulator} from '../../../support/serve-simulator.ts';
import {acme, createFolderWithContexts} from '../../support/contexts.ts';
import {
	agreeToProduction,
	expectProductionQuestion,
	keyWalks,
	listWrites,
	removeNamespace,
} from '../../support/production-ways.ts';
import {zoneWalks} from '../../support/production-zone-ways.ts';
import {goToNamespaces} from '../../support/sample-ways.ts';
import {drawScreen} from '../../support/screen.tsx';

const walks = {...keyWalks, ...zoneWalks};

test.each(
	Object.entries(walks),
)('every write to %s asks in production, and sends nothing unless the answer is yes', async (_, walk) => {
	await using service = await serveSimulator();
	const cwd = createFolderWithContexts(service);
	writeFileSync(join(cwd, 'put.json'), '[{"key":"new","value":"a"},{"key":"newer","value":"b"}]');
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	const screen = await drawScreen(walk.options ?? {}, {cwd, env, rows: 15});
	await walk.goToStart(screen);
	for (const {begin, beginAgain = begin, placePattern, requestPattern, faults = '', endText} of walk.steps) {
		const writeCountBefore = listWrites(service).length;
		const listSentWrites = () => listWrites(service).slice(writeCountBefore);
		await begin(screen);
		await expectProductionQuestion(screen, placePattern);
		screen.press('esc');
		await screen.waitFor('was not confirmed');
		expect(listSentWrites()).toEqual([]);
		await beginAgain(screen);
		await service.setFaults(faults);
		await agreeToProduction(screen);
		await screen.waitFor(endText);
		await service.setFaults('');
		expect(listSentWrites()).toContainEqual(expect.stringMatching(requestPattern));
	}
});

describe('every action of the screens', () => {
	const prefixIds = (area: string, names: string) => names.split(' ').map(name => `${area}.${name}`);
	/** Actions that open something that another action sends, after input or a review. */
	const leadingToWrite = [
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
	/** Actions that resume paused work, which was confirmed when it began. */
	const resumingActions = ['bulk.resume', 'transfer.resume', 'jobs.unpause'];
	/** Actions that complete a dialog; the write is that of the action that opened it. */
	const answeringActions = ['yes', 'other', 'submit', 'choose', 'perform'].map(id => `dialog.${id}`);
	/** Actions that request data from the service, and change nothing. */
	const readingActions = [
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
	/** Actions that change only what is shown, typed, copied or kept locally, or that stop something. */
	const localActions = [
		...'help palette back details suspend quit'.split(' '),
		...prefixIds('dialog', 'no close leave down up page-down page-up empty quit complete mode'),
		...prefixIds('filter', 'accept empty clear'),
		...prefixIds('namespaces', 'pair filter sort copy'),
		...prefixIds('keys', 'close-group select select-all copy filter arrange sort'),
		...prefixIds('edit', 'discard'),
		...prefixIds('editor', 'leave elsewhere suspend quit help'),
		...prefixIds('review', 'down up line-down line-up first last cancel'),
		...prefixIds(
			'key',
			'fold right left fold-all form form-before find find-next find-previous in-full wrap copy copy-all save pager',
		),
		...prefixIds('bulk', 'pause cancel cancel-keeping refused copy'),
		...prefixIds('zones', 'filter order details copy'),
		...prefixIds('contexts', 'filter copy'),
		...prefixIds('firewall', 'detail list to-filters to-rules related filter copy copy-id'),
		...prefixIds('custom', 'detail list drop-move filter copy copy-id'),
		...prefixIds(
			'catalogue',
			'pick mark next before down up page-down page-up first last copy leave suspend quit help',
		),
		...prefixIds('left', 'recreate review undo filter copy'),
		...prefixIds('versions', 'filter copy'),
		...prefixIds('merge', 'before behind stop curl copy-requests more'),
		...prefixIds('events', 'open lists plot-by filter copy copy-address copy-path copy-rule'),
		...prefixIds('validation', 'all copy detail.down detail.up'),
		...prefixIds('limits', 'detail list change filter copy copy-id'),
		...prefixIds(
			'managed',
			'edit-toggle edit-action edit-override edit-exception edit-paranoia edit-threshold edit-change-exception edit-remove deploy browse left-behind undo copy curl copy-requests why aside.down aside.up page-down',
		),
		...prefixIds(
			'customRule',
			'take next-line next format problem on toggle choice-down choice-up curl copy-requests copy stop page-down page-up line-down line-up first last back details suspend quit menu-quit help menu-help',
		),
		...prefixIds(
			'wizard',
			'take next-line next format problem on toggle choice-down choice-up curl copy-requests copy stop page-down page-up line-down line-up first last back details suspend quit menu-quit help menu-help',
		),
		...prefixIds(
			'emergency',
			'take next format problem choose read-on order custom curl copy-requests copy stop page-down page-up line-down line-up first last back details suspend quit menu-quit help menu-help',
		),
		...prefixIds(
			'migration',
			'read-on edit json edit-toggle edit-action edit-override edit-exception edit-paranoia edit-threshold edit-change-exception edit-remove undo editor stop back down up list-page-down list-page-up list-first list-last aside.down aside.up text.page-down text.page-up text.first text.last page-down page-up line-down line-up first last confirming.page-down confirming.page-up copy details suspend quit menu-quit help menu-help',
		),
		...prefixIds('menu', 'palette'),
		...prefixIds('transfer', 'copy-path pause cancel'),
		...prefixIds('compare', 'filter copy'),
		...prefixIds('jobs', 'forget pause filter'),
		...prefixIds('activity', 'copy filter'),
		...prefixIds('search', 'filter copy'),
		...prefixIds('stats', 'section section-before sample copy'),
		...prefixIds('move', 'down up page-down page-up first last filter-down filter-up'),
		...prefixIds('too-small', 'quit suspend'),
	];

	test('is in exactly one of the groups above, or writes in one of the walks', () => {
		const writingActions = Object.values(walks).flatMap(({steps}) =>
			steps.flatMap(({actionIds}) => actionIds),
		);
		const classifiedIds = [
			...writingActions,
			...leadingToWrite,
			...resumingActions,
			...answeringActions,
			...readingActions,
			...localActions,
		];
		const ids = actions.map(({id}) => id);
		expect([...classifiedIds].sort()).toEqual([...new Set(ids)].sort());
	});
});

test.each([
	['a variable', {CLOUDFLARE_ACCOUNT_ID: acme.id}, {}, ''],
	['an option', {}, {accountId: acme.id}, ''],
	['the configuration file of a binding', {}, {}, `account_id = "${acme.id}"\n`],
] as const)('production applies when %s has chosen the account', async (_, variables, options: SessionOptions, configuration) => {
	await using service = await serveSimulator({accounts: 2});
	const cwd = createFolderWithContexts(service);
	const binding = '[[kv_namespaces]]\nbinding = "IT"\nid = "f406ca271a253d6e7fe341d7a1faa59c"\n';
	if (configuration !== '') writeFileSync(join(cwd, 'wrangler.toml'), `${configuration}${binding}`);
	const screen = await drawScreen(options, {cwd, env: {...service.env, ...variables}, rows: 15});
	await screen.waitFor(/Account +prod/);
	await goToNamespaces(screen);
	await removeNamespace(screen, 'CONFIG');
	await expectProductionQuestion(screen, /In prod \(account 910896fde4470afb4fab0b3c5e3aaff8\)/);
	screen.press('esc');
	await screen.waitFor('was not confirmed');
	expect(listWrites(service)).toEqual([]);
});
