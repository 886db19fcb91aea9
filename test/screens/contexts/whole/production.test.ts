import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {actions} from '../../../../source/screens/actions.ts';
import type {SessionOptions} from '../../../../source/session/parts.ts';
import {serveSimulator} from '../../../support/serve-simulator.ts';
import {acme, createFolderWithContexts} from '../../support/contexts.ts';
import {listWalks} from '../../support/production-list-ways.ts';
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

const walks = {...keyWalks, ...zoneWalks, ...listWalks};

test.each(
	Object.entries(walks),
)('every write to %s asks in production, and sends nothing unless the answer is yes', async (_, walk) => {
	await using service = await serveSimulator();
	const cwd = createFolderWithContexts(service);
	writeFileSync(join(cwd, 'put.json'), '[{"key":"new","value":"a"},{"key":"newer","value":"b"}]');
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	await walk.prepare?.(service);
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
	const walkedIds = new Set(
		Object.values(walks).flatMap(({steps}) => steps.flatMap(({actionIds}) => actionIds)),
	);
	/** Actions that resume paused work, which was confirmed when it began. */
	const resumingIds = ['bulk.resume', 'transfer.resume', 'jobs.unpause'];

	test('that writes is part of a walk above', () => {
		const missingIds = actions
			.filter(({effect}) => effect === 'writes')
			.map(({id}) => id)
			.filter(id => !walkedIds.has(id) && !resumingIds.includes(id));
		expect(missingIds, 'Add a walk to test/screens/support/production-ways.ts').toEqual([]);
	});

	test('that is part of a walk declares its effect', () => {
		const undeclaredIds = actions.filter(({id, effect}) => walkedIds.has(id) && !effect).map(({id}) => id);
		expect(undeclaredIds, "Add `effect: 'writes'` to the action").toEqual([]);
	});

	test('exists if a walk or a list above names it', () => {
		const ids = new Set(actions.map(({id}) => id));
		expect([...walkedIds, ...resumingIds].filter(id => !ids.has(id))).toEqual([]);
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
