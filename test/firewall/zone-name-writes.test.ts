import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createTextKey} from '../../source/keyboard/key.ts';
import {dispatch} from '../../source/screens/dispatch.ts';
import {minReviewMs} from '../../source/screens/write-flow/review-timer.ts';
import {simulatedBaseUrl} from '../../source/settings/base-url.ts';
import {callRulesetsAsOther, migratedSampleZone, watchWrites} from '../screens/support/custom-rules.ts';
import {createTestApp} from '../screens/support/drawn.tsx';
import {shop} from '../screens/support/firewall.ts';
import {createTestStore, type TestStore} from '../screens/support/store.ts';
import {writingCommands} from '../support/every-command.ts';
import {zoneIds} from '../support/firewall.ts';
import {createScratchFolder, createVirtualClock, ledge, type RunOptions} from '../support/run.ts';
import {serveSimulator} from '../support/serve-simulator.ts';

/** Whether a write makes a rule act on nearly all traffic or removes many rules, or neither. */
const sizes = ['broad', 'narrow'] as const;
type Size = (typeof sizes)[number];

const narrowExpression = 'ip.src eq 192.0.2.1';
const buildOwnExpression = (number: number) => `ip.src eq 192.0.2.${100 + number}`;
const getExpression = (size: Size) => (size === 'broad' ? 'true' : narrowExpression);
/** The most rules that need no zone name, or one more. */
const getRuleCount = (size: Size) => (size === 'broad' ? 11 : 10);

type CustomRule = {id?: string; action: string; expression: string; enabled?: boolean; description?: string};

/** Writes to a zone without ledge. */
function accessZone(fetch: (request: Request) => Promise<Response>, id: string) {
	async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(
			new Request(`${simulatedBaseUrl}/zones/${id}${path}`, {
				method,
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				...(body !== undefined && {body: JSON.stringify(body)}),
			}),
		);
		const {success, result, errors} = (await response.json()) as {
			success: boolean;
			result: T;
			errors: unknown;
		};
		if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
		return result;
	}
	const createItem = async (path: string, item: object) =>
		(await send<{id: string}[]>('POST', path, [item]))[0]?.id ?? '';
	const addFilter = (expression: string, more: object = {}) => createItem('/filters', {expression, ...more});
	const addRule = (filter: string, more: object = {}) =>
		createItem('/firewall/rules', {filter: {id: filter}, action: 'block', ...more});
	return {
		addFilter,
		addRule,
		async addRules(count: number) {
			const ids: string[] = [];
			for (let number = 0; number < count; number++)
				ids.push(await addRule(await addFilter(buildOwnExpression(number))));
			return ids;
		},
		/** Replaces the custom rules of the zone. */
		replaceCustomRules: (rules: readonly CustomRule[]) =>
			send<{version: string; rules: (CustomRule & {id: string})[]}>(
				'PUT',
				'/rulesets/phases/http_request_firewall_custom/entrypoint',
				{rules},
			),
	};
}

type Zone = ReturnType<typeof accessZone>;

const buildCustomRules = (count: number): CustomRule[] =>
	Array.from({length: count}, (_, number) => ({action: 'block', expression: buildOwnExpression(number)}));
const skipAll = {action: 'skip', action_parameters: {ruleset: 'current'}};

type Words = readonly string[];

/**
 * Every command that writes firewall rules, filters or custom rules. The function prepares the zone, and
 * returns the arguments of the command; undefined if the command has no write of this size.
 */
const commands: Record<string, (zone: Zone, size: Size) => Promise<Words | undefined>> = {
	'firewall emergency': async (_zone, size) => ['--expression', getExpression(size)],
	'firewall rule create': async (_zone, size) => [
		...['--expression', getExpression(size), '--action', 'allow'],
	],
	'firewall rule create on a filter': async (zone, size) => [
		...['--filter-id', await zone.addFilter(getExpression(size))],
		...['--action', 'bypass', '--products', 'waf'],
	],
	'firewall rule update its expression': async (zone, size) => [
		await zone.addRule(await zone.addFilter('ip.src eq 192.0.2.9')),
		...['--expression', getExpression(size)],
	],
	'firewall rule update its action': async (zone, size) => [
		await zone.addRule(await zone.addFilter(getExpression(size)), {action: 'challenge'}),
		...['--action', 'allow'],
	],
	async 'firewall rule update what it bypasses'(zone, size) {
		const bypass = {action: 'bypass', products: ['bic']};
		const rule = await zone.addRule(await zone.addFilter(getExpression(size)), bypass);
		return [rule, '--products', 'bic,waf'];
	},
	'firewall rule update its filter': async (zone, size) => [
		await zone.addRule(await zone.addFilter('ip.src eq 192.0.2.9')),
		...['--filter-id', await zone.addFilter(getExpression(size))],
	],
	'firewall rule update its pause': async (zone, size) => [
		await zone.addRule(await zone.addFilter(getExpression(size)), {paused: true}),
		'--no-paused',
	],
	async 'firewall rule update its priority'(zone, size) {
		await zone.addRule(await zone.addFilter('ip.src eq 192.0.2.9'), {priority: 10});
		const filter = await zone.addFilter(getExpression(size));
		const rule = await zone.addRule(filter, {action: 'allow', priority: 20});
		return [rule, '--priority', '5'];
	},
	async 'firewall rule update the priority of another rule'(zone, size) {
		const block = await zone.addRule(await zone.addFilter('ip.src eq 192.0.2.9'), {priority: 10});
		await zone.addRule(await zone.addFilter(getExpression(size)), {action: 'allow', priority: 20});
		return [block, '--priority', '30'];
	},
	'firewall rule pause': (zone, size) => zone.addRules(getRuleCount(size)),
	'firewall rule resume': async (zone, size) => [
		await zone.addRule(await zone.addFilter(getExpression(size)), {paused: true}),
	],
	'firewall rule delete': (zone, size) => zone.addRules(getRuleCount(size)),
	'firewall filter create': async (_zone, size) =>
		size === 'narrow' ? ['--expression', 'ip.src in {0.0.0.0/0}'] : undefined,
	async 'firewall filter update its expression'(zone, size) {
		const filter = await zone.addFilter('ip.src eq 192.0.2.9');
		await zone.addRule(filter, {action: 'log'});
		await zone.addRule(filter, {action: 'allow'});
		return [filter, '--expression', getExpression(size)];
	},
	async 'firewall filter update its pause'(zone, size) {
		const filter = await zone.addFilter(getExpression(size), {paused: true});
		await zone.addRule(filter);
		return [filter, '--no-paused'];
	},
	async 'firewall filter update to paused'(zone, size) {
		const filter = await zone.addFilter(narrowExpression);
		for (let number = 0; number < getRuleCount(size); number++) await zone.addRule(filter);
		return [filter, '--paused'];
	},
	'firewall filter delete': async (zone, size) =>
		size === 'narrow' ? [await zone.addFilter('true')] : undefined,
	'rules create': async (_zone, size) => [
		...['--expression', getExpression(size), '--action', 'skip', '--skip', 'remaining'],
	],
	async 'rules update its expression'(zone, size) {
		const {rules} = await zone.replaceCustomRules([{...skipAll, expression: 'ip.src eq 192.0.2.9'}]);
		return [rules[0]?.id ?? '', '--expression', getExpression(size)];
	},
	async 'rules update its action'(zone, size) {
		const {rules} = await zone.replaceCustomRules([
			{action: 'managed_challenge', expression: getExpression(size)},
		]);
		return [rules[0]?.id ?? '', '--action', 'block'];
	},
	async 'rules update what it skips'(zone, size) {
		const {rules} = await zone.replaceCustomRules([{...skipAll, expression: getExpression(size)}]);
		return [rules[0]?.id ?? '', '--skip', 'remaining,bic'];
	},
	async 'rules update its pause'(zone, size) {
		const {rules} = await zone.replaceCustomRules([
			{action: 'block', expression: getExpression(size), enabled: false},
		]);
		return [rules[0]?.id ?? '', '--no-paused'];
	},
	async 'rules pause'(zone, size) {
		const {rules} = await zone.replaceCustomRules(buildCustomRules(getRuleCount(size)));
		return rules.map(({id}) => id);
	},
	async 'rules resume'(zone, size) {
		const {rules} = await zone.replaceCustomRules([
			{action: 'block', expression: getExpression(size), enabled: false},
		]);
		return rules.map(({id}) => id);
	},
	async 'rules move'(zone, size) {
		const {rules} = await zone.replaceCustomRules([
			...buildCustomRules(2),
			{...skipAll, expression: getExpression(size)},
		]);
		return [rules[2]?.id ?? '', '--first'];
	},
	async 'rules move another rule'(zone, size) {
		const {rules} = await zone.replaceCustomRules([
			...buildCustomRules(1),
			{...skipAll, expression: getExpression(size)},
		]);
		return [rules[0]?.id ?? '', '--last'];
	},
	async 'rules delete'(zone, size) {
		const {rules} = await zone.replaceCustomRules(buildCustomRules(getRuleCount(size)));
		return rules.map(({id}) => id);
	},
	async 'rules restore a broad rule'(zone, size) {
		const {version} = await zone.replaceCustomRules([{...skipAll, expression: getExpression(size)}]);
		await zone.replaceCustomRules([]);
		return [version];
	},
	async 'rules restore the place of a rule'(zone, size) {
		const {version, rules} = await zone.replaceCustomRules([
			{...skipAll, expression: getExpression(size)},
			...buildCustomRules(1),
		]);
		await zone.replaceCustomRules(rules.toReversed());
		return [version];
	},
	async 'rules restore fewer rules'(zone, size) {
		const {version} = await zone.replaceCustomRules([]);
		await zone.replaceCustomRules(buildCustomRules(getRuleCount(size)));
		return [version];
	},
};

test('every command that writes rules or filters is listed', () => {
	// `rules apply` always needs the name, which its own test checks.
	const testedNames = [...Object.keys(commands), 'rules apply'];
	const writingNames = Object.keys(writingCommands).filter(name => /^(firewall|rules) /.test(name));
	expect(writingNames.filter(name => !testedNames.some(row => row.startsWith(name)))).toEqual([]);
	expect(writingNames).not.toEqual([]);
});

describe.each(Object.entries(commands))('%s', (name, prepare) => {
	async function prepareRun(size: Size) {
		const service = await serveSimulator({samples: false});
		onTestFinished(() => service.stop());
		const id = zoneIds.enterprise;
		const words = await prepare(
			accessZone(request => service.simulator.fetch(request), id),
			size,
		);
		if (!words) return undefined;
		const [area = '', command = '', ...more] = name.split(' ');
		const commandWords =
			area === 'firewall' && command !== 'emergency' ? [command, more[0] ?? ''] : [command];
		const writeCountBefore = service.writes().length;
		const listNewWrites = () =>
			service
				.writes()
				.slice(writeCountBefore)
				.filter(({path}) => !path.endsWith('/validate-expr'));
		const options: RunOptions = {cwd: createScratchFolder(), clock: createVirtualClock(), env: service.env};
		const run = (...confirmation: Words) =>
			ledge([area, ...commandWords, ...words, '--zone-id', id, ...confirmation], options);
		return {run, written: listNewWrites};
	}

	test('asks for the zone name for nearly all traffic or many rules', async () => {
		const at = await prepareRun('broad');
		if (!at) return;
		for (const confirmation of [[], ['--yes'], ['--yes', '--confirm', 'other.example']]) {
			const refused = await at.run(...confirmation);
			expect(refused.code).toBe(2);
			expect(refused.stderr).toContain('--confirm');
			expect(at.written()).toEqual([]);
		}
		const {stderr} = await at.run('--yes');
		const [, zone = ''] = /--confirm (\S+)/.exec(stderr) ?? [];
		expect(await at.run('--confirm', zone)).toMatchObject({code: 0});
		expect(at.written()).not.toEqual([]);
	});

	test('needs no zone name otherwise', async () => {
		const at = await prepareRun('narrow');
		expect(await at?.run('--yes')).toMatchObject({code: 0});
		expect(at?.written()).not.toEqual([]);
	});
});

test.each(sizes)('the undo command that a deletion prints runs unchanged: %s', async size => {
	const service = await serveSimulator({samples: false});
	onTestFinished(() => service.stop());
	const id = zoneIds.enterprise;
	const zone = accessZone(request => service.simulator.fetch(request), id);
	const {rules} = await zone.replaceCustomRules([{...skipAll, expression: getExpression(size)}]);
	const options: RunOptions = {cwd: createScratchFolder(), clock: createVirtualClock(), env: service.env};
	const deletion = await ledge(['rules', 'delete', rules[0]?.id ?? '', '--zone-id', id, '--yes'], options);
	const [, printed = ''] = /To undo: (.*)/.exec(deletion.stderr) ?? [];
	expect(printed.includes('--confirm')).toBe(size === 'broad');
	expect(await ledge(printed.split(' ').slice(1), {...options, tty: true, input: 'y\n'})).toMatchObject({
		code: 0,
	});
	const listing = await ledge(['rules', 'list', '--json', '--zone-id', id], options);
	expect(JSON.parse(listing.stdout)).toMatchObject([{expression: getExpression(size)}]);
});

type Keys = readonly string[];

/**
 * Every write on the screens of firewall rules and custom rules. `prepare` sets up the zone; `keys` returns
 * the keys that request the write, after steps of its own.
 */
const screens: Record<
	string,
	{
		readonly screen: 'firewall' | 'customRules';
		readonly sizes?: readonly Size[];
		prepare(zone: Zone, size: Size): Promise<unknown>;
		keys(testStore: TestStore, size: Size): Keys | Promise<Keys>;
	}
> = {
	'pause a firewall rule': {
		screen: 'firewall',
		sizes: ['narrow'],
		prepare: async zone => zone.addRule(await zone.addFilter('true')),
		keys: () => ['p'],
	},
	'resume a firewall rule': {
		screen: 'firewall',
		prepare: async (zone, size) => zone.addRule(await zone.addFilter(getExpression(size)), {paused: true}),
		keys: () => ['p'],
	},
	'delete a firewall rule': {
		screen: 'firewall',
		sizes: ['narrow'],
		prepare: async zone => zone.addRule(await zone.addFilter('true')),
		keys: () => ['d'],
	},
	'the priority of a firewall rule': {
		screen: 'firewall',
		async prepare(zone, size) {
			await zone.addRule(await zone.addFilter('ip.src eq 192.0.2.9'), {priority: 10});
			const filter = await zone.addFilter(getExpression(size));
			await zone.addRule(filter, {action: 'allow', priority: 20});
		},
		keys: () => ['down', 'O', 'backspace', 'backspace', '5', 'enter'],
	},
	'pause a filter': {
		screen: 'firewall',
		async prepare(zone, size) {
			const filter = await zone.addFilter(narrowExpression);
			for (let number = 0; number < getRuleCount(size); number++) await zone.addRule(filter);
		},
		keys: () => ['f', 'p'],
	},
	'resume a filter': {
		screen: 'firewall',
		prepare: async (zone, size) => zone.addRule(await zone.addFilter(getExpression(size), {paused: true})),
		keys: () => ['f', 'p'],
	},
	'delete a filter': {
		screen: 'firewall',
		sizes: ['narrow'],
		prepare: zone => zone.addFilter('true'),
		keys: () => ['tab', 'd'],
	},
	'create a firewall rule': {
		screen: 'firewall',
		prepare: async () => {},
		async keys(testStore, size) {
			const {state} = testStore;
			state().wizard.begin({kind: 'new rule'});
			state().navigation.go('wizard');
			for (const character of getExpression(size)) state().wizard.type(createTextKey(character));
			state().wizard.goToNextStep();
			state().wizard.chooseAction('allow');
			state().wizard.goToNextStep();
			testStore.advanceClock(minReviewMs);
			void state().wizard.send();
			return [];
		},
	},
	'create a custom rule': {
		screen: 'customRules',
		prepare: zone => zone.replaceCustomRules([]),
		async keys(testStore, size) {
			const {state} = testStore;
			state().customRule.begin({kind: 'new'});
			state().navigation.go('customRule');
			for (const character of getExpression(size)) state().customRule.type(createTextKey(character));
			state().customRule.goToNextStep();
			state().customRule.chooseAction('block');
			state().customRule.goToNextStep();
			testStore.advanceClock(minReviewMs);
			void state().customRule.send();
			return [];
		},
	},
	'pause a custom rule': {
		screen: 'customRules',
		sizes: ['narrow'],
		prepare: zone => zone.replaceCustomRules([{...skipAll, expression: 'true'}]),
		keys: () => ['p'],
	},
	'resume a custom rule': {
		screen: 'customRules',
		prepare: (zone, size) =>
			zone.replaceCustomRules([{...skipAll, expression: getExpression(size), enabled: false}]),
		keys: () => ['p'],
	},
	'delete a custom rule': {
		screen: 'customRules',
		sizes: ['narrow'],
		prepare: zone => zone.replaceCustomRules([{...skipAll, expression: 'true'}]),
		keys: () => ['d'],
	},
	'move a custom rule': {
		screen: 'customRules',
		prepare: (zone, size) =>
			zone.replaceCustomRules([...buildCustomRules(1), {...skipAll, expression: getExpression(size)}]),
		keys: () => ['down', 'O', 'up', 'enter'],
	},
	'undo the deletion of a custom rule': {
		screen: 'customRules',
		prepare: (zone, size) => zone.replaceCustomRules([{...skipAll, expression: getExpression(size)}]),
		async keys(testStore) {
			press(testStore, 'd', 'y');
			await testStore.until(isIdle);
			return ['u'];
		},
	},
	'undo the addition of custom rules': {
		screen: 'customRules',
		prepare: zone => zone.replaceCustomRules([]),
		async keys(testStore, size) {
			const rules = buildCustomRules(getRuleCount(size));
			const {plan, send} = testStore.state().customRules;
			const write = {
				plan: plan(rules),
				label: 'creating custom rules',
				auditLabel: 'create custom rules',
				describeEffect: () => 'Created.',
				unknownOutcome: 'whether the custom rules were created',
			};
			await send(write, undefined, testStore.signal);
			return ['u'];
		},
	},
	'restore a version of the custom rules': {
		screen: 'customRules',
		async prepare(zone, size) {
			await zone.replaceCustomRules([{...skipAll, expression: getExpression(size)}]);
			await zone.replaceCustomRules([]);
		},
		async keys(testStore) {
			await readPreviousVersion(testStore);
			return ['u'];
		},
	},
	'restore what a write of custom rules has overwritten': {
		screen: 'customRules',
		async prepare(zone) {
			// Two rules are missing, so that restoring the earlier version replaces all rules.
			await zone.replaceCustomRules(buildCustomRules(3));
			await zone.replaceCustomRules(buildCustomRules(1));
		},
		async keys(testStore, size) {
			await readPreviousVersion(testStore);
			const theirs = {...skipAll, expression: getExpression(size)};
			const {id} = testStore.state().customRules.data?.ruleset ?? {};
			watchWrites(testStore, () => callRulesetsAsOther(testStore, 'POST', `/${id}/rules`, theirs));
			press(testStore, 'u', 'y');
			await testStore.until(isIdle);
			vi.restoreAllMocks();
			choose(testStore, 'restore');
			return [];
		},
	},
};

const isIdle = ({work: {list: work}}: ReturnType<TestStore['state']>) => work.length === 0;

/** Opens the versions of the custom rules, and selects the one before the last, once it is read. */
async function readPreviousVersion(testStore: TestStore): Promise<void> {
	press(testStore, 'V');
	await testStore.until(state => state.versions.data?.reading === 'read' && isIdle(state));
	press(testStore, 'down');
	const previous = testStore.state().versions.data?.rows[1]?.version ?? '';
	await testStore.until(state => state.versions.data?.contents.has(previous) === true && isIdle(state));
}

/** Picks an option of the open dialog, and closes it. */
function choose({state}: TestStore, value: string): void {
	const dialog = state().dialog.current;
	if (dialog?.kind !== 'choice') throw new Error(`There is no choice, but ${dialog?.kind}.`);
	expect(dialog.choices).toContainEqual(expect.objectContaining({value}));
	state().dialog.close();
	dialog.choose(value);
}

const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

function press(testStore: TestStore, ...names: Keys): void {
	const app = createTestApp(testStore);
	for (const name of names) dispatch(app, key(name));
}

const screenRows = Object.entries(screens).flatMap(([name, row]) =>
	(row.sizes ?? sizes).map(size => ({name, size, ...row})),
);

test.each(screenRows)('on screens, $name: $size', async ({screen, size, prepare, keys}) => {
	const testStore = createTestStore();
	const zone = screen === 'firewall' ? shop : migratedSampleZone;
	const zoneAccess = accessZone(request => testStore.simulator.fetch(request), zone.id);
	await prepare(zoneAccess, size);
	testStore.state().firewall.open(zone);
	testStore.state().customRules.open(zone);
	if (screen === 'firewall') await testStore.state().firewall.load(testStore.signal);
	else await testStore.state().customRules.load(testStore.signal);
	await testStore.state().connection.loadConnection();
	testStore.state().navigation.go(screen);
	const requestKeys = await keys(testStore, size);
	const writes = watchWrites(testStore);
	press(testStore, ...requestKeys);
	await testStore.until(isIdle);
	const dialog = testStore.state().dialog.current;
	if (size === 'narrow') {
		expect(dialog).not.toMatchObject({requiredInput: zone.name});
		press(testStore, 'y');
	} else {
		expect(dialog).toMatchObject({kind: 'field', requiredInput: zone.name});
		press(testStore, 'y', 'enter');
		expect(writes).toEqual([]);
		press(testStore, 'backspace', ...zone.name, 'enter');
	}
	await testStore.until(isIdle);
	expect(writes).not.toEqual([]);
});
