import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createTextKey} from '../../source/keyboard/key.ts';
import {dispatch} from '../../source/screens/dispatch.ts';
import {minReviewMs} from '../../source/screens/write-flow/review-timer.ts';
import {simulatedBaseUrl} from '../../source/service/connect.ts';
import {byOthers, migrated, watchWrites} from '../screens/support/custom-rules.ts';
import {appOf} from '../screens/support/drawn.tsx';
import {shop} from '../screens/support/firewall.ts';
import {createTestStore, type TestStore} from '../screens/support/store.ts';
import {writingCommands} from '../support/every-command.ts';
import {zoneIds} from '../support/firewall.ts';
import {ledge, type RunOptions, scratch, virtualClock} from '../support/run.ts';
import {serveSimulator} from '../support/serve-simulator.ts';

/** Whether a write lets a rule act on nearly all traffic or takes many rules away, or neither. */
const sizes = ['broad', 'narrow'] as const;
type Size = (typeof sizes)[number];

const narrow = 'ip.src eq 192.0.2.1';
const own = (number: number) => `ip.src eq 192.0.2.${100 + number}`;
const expressionFor = (size: Size) => (size === 'broad' ? 'true' : narrow);
/** As many rules as need no name, or one more. */
const countFor = (size: Size) => (size === 'broad' ? 11 : 10);

type Custom = {id?: string; action: string; expression: string; enabled?: boolean; description?: string};

/** Reads and writes of a zone without ledge. */
function zoneAt(fetch: (request: Request) => Promise<Response>, id: string) {
	async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
		const answer = await fetch(
			new Request(`${simulatedBaseUrl}/zones/${id}${path}`, {
				method,
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				...(body !== undefined && {body: JSON.stringify(body)}),
			}),
		);
		const {success, result, errors} = (await answer.json()) as {
			success: boolean;
			result: T;
			errors: unknown;
		};
		if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
		return result;
	}
	const first = async (path: string, item: object) =>
		(await send<{id: string}[]>('POST', path, [item]))[0]?.id ?? '';
	const addFilter = (expression: string, more: object = {}) => first('/filters', {expression, ...more});
	const addRule = (filter: string, more: object = {}) =>
		first('/firewall/rules', {filter: {id: filter}, action: 'block', ...more});
	return {
		addFilter,
		addRule,
		async addRules(count: number) {
			const ids: string[] = [];
			for (let number = 0; number < count; number++) ids.push(await addRule(await addFilter(own(number))));
			return ids;
		},
		/** Makes these the custom rules of the zone. */
		custom: (rules: readonly Custom[]) =>
			send<{version: string; rules: (Custom & {id: string})[]}>(
				'PUT',
				'/rulesets/phases/http_request_firewall_custom/entrypoint',
				{rules},
			),
	};
}

type Zone = ReturnType<typeof zoneAt>;

const customRules = (count: number): Custom[] =>
	Array.from({length: count}, (_, number) => ({action: 'block', expression: own(number)}));
const skipAll = {action: 'skip', action_parameters: {ruleset: 'current'}};

type Words = readonly string[];

/** Every command that writes firewall rules, filters or custom rules, by what it writes; `undefined` where it has no such size. */
const commands: Record<string, (zone: Zone, size: Size) => Promise<Words | undefined>> = {
	'firewall emergency': async (_zone, size) => ['--expression', expressionFor(size)],
	'firewall rule create': async (_zone, size) => [
		...['--expression', expressionFor(size), '--action', 'allow'],
	],
	'firewall rule create on a filter': async (zone, size) => [
		...['--filter-id', await zone.addFilter(expressionFor(size))],
		...['--action', 'bypass', '--products', 'waf'],
	],
	'firewall rule update its expression': async (zone, size) => [
		await zone.addRule(await zone.addFilter('ip.src eq 192.0.2.9')),
		...['--expression', expressionFor(size)],
	],
	'firewall rule update its action': async (zone, size) => [
		await zone.addRule(await zone.addFilter(expressionFor(size)), {action: 'challenge'}),
		...['--action', 'allow'],
	],
	async 'firewall rule update what it bypasses'(zone, size) {
		const bypass = {action: 'bypass', products: ['bic']};
		const rule = await zone.addRule(await zone.addFilter(expressionFor(size)), bypass);
		return [rule, '--products', 'bic,waf'];
	},
	'firewall rule update its filter': async (zone, size) => [
		await zone.addRule(await zone.addFilter('ip.src eq 192.0.2.9')),
		...['--filter-id', await zone.addFilter(expressionFor(size))],
	],
	'firewall rule update its pause': async (zone, size) => [
		await zone.addRule(await zone.addFilter(expressionFor(size)), {paused: true}),
		'--no-paused',
	],
	async 'firewall rule update its priority'(zone, size) {
		await zone.addRule(await zone.addFilter('ip.src eq 192.0.2.9'), {priority: 10});
		const filter = await zone.addFilter(expressionFor(size));
		const rule = await zone.addRule(filter, {action: 'allow', priority: 20});
		return [rule, '--priority', '5'];
	},
	async 'firewall rule update the priority of another rule'(zone, size) {
		const block = await zone.addRule(await zone.addFilter('ip.src eq 192.0.2.9'), {priority: 10});
		await zone.addRule(await zone.addFilter(expressionFor(size)), {action: 'allow', priority: 20});
		return [block, '--priority', '30'];
	},
	'firewall rule pause': (zone, size) => zone.addRules(countFor(size)),
	'firewall rule resume': async (zone, size) => [
		await zone.addRule(await zone.addFilter(expressionFor(size)), {paused: true}),
	],
	'firewall rule delete': (zone, size) => zone.addRules(countFor(size)),
	'firewall filter create': async (_zone, size) =>
		size === 'narrow' ? ['--expression', 'ip.src in {0.0.0.0/0}'] : undefined,
	async 'firewall filter update its expression'(zone, size) {
		const filter = await zone.addFilter('ip.src eq 192.0.2.9');
		await zone.addRule(filter, {action: 'log'});
		await zone.addRule(filter, {action: 'allow'});
		return [filter, '--expression', expressionFor(size)];
	},
	async 'firewall filter update its pause'(zone, size) {
		const filter = await zone.addFilter(expressionFor(size), {paused: true});
		await zone.addRule(filter);
		return [filter, '--no-paused'];
	},
	async 'firewall filter update to paused'(zone, size) {
		const filter = await zone.addFilter(narrow);
		for (let number = 0; number < countFor(size); number++) await zone.addRule(filter);
		return [filter, '--paused'];
	},
	'firewall filter delete': async (zone, size) =>
		size === 'narrow' ? [await zone.addFilter('true')] : undefined,
	'rules create': async (_zone, size) => [
		...['--expression', expressionFor(size), '--action', 'skip', '--skip', 'remaining'],
	],
	async 'rules update its expression'(zone, size) {
		const {rules} = await zone.custom([{...skipAll, expression: 'ip.src eq 192.0.2.9'}]);
		return [rules[0]?.id ?? '', '--expression', expressionFor(size)];
	},
	async 'rules update its action'(zone, size) {
		const {rules} = await zone.custom([{action: 'managed_challenge', expression: expressionFor(size)}]);
		return [rules[0]?.id ?? '', '--action', 'block'];
	},
	async 'rules update what it skips'(zone, size) {
		const {rules} = await zone.custom([{...skipAll, expression: expressionFor(size)}]);
		return [rules[0]?.id ?? '', '--skip', 'remaining,bic'];
	},
	async 'rules update its pause'(zone, size) {
		const {rules} = await zone.custom([{action: 'block', expression: expressionFor(size), enabled: false}]);
		return [rules[0]?.id ?? '', '--no-paused'];
	},
	async 'rules pause'(zone, size) {
		const {rules} = await zone.custom(customRules(countFor(size)));
		return rules.map(({id}) => id);
	},
	async 'rules resume'(zone, size) {
		const {rules} = await zone.custom([{action: 'block', expression: expressionFor(size), enabled: false}]);
		return rules.map(({id}) => id);
	},
	async 'rules move'(zone, size) {
		const {rules} = await zone.custom([...customRules(2), {...skipAll, expression: expressionFor(size)}]);
		return [rules[2]?.id ?? '', '--first'];
	},
	async 'rules move another rule'(zone, size) {
		const {rules} = await zone.custom([...customRules(1), {...skipAll, expression: expressionFor(size)}]);
		return [rules[0]?.id ?? '', '--last'];
	},
	async 'rules delete'(zone, size) {
		const {rules} = await zone.custom(customRules(countFor(size)));
		return rules.map(({id}) => id);
	},
	async 'rules restore a broad rule'(zone, size) {
		const {version} = await zone.custom([{...skipAll, expression: expressionFor(size)}]);
		await zone.custom([]);
		return [version];
	},
	async 'rules restore the place of a rule'(zone, size) {
		const {version, rules} = await zone.custom([
			{...skipAll, expression: expressionFor(size)},
			...customRules(1),
		]);
		await zone.custom(rules.toReversed());
		return [version];
	},
	async 'rules restore fewer rules'(zone, size) {
		const {version} = await zone.custom([]);
		await zone.custom(customRules(countFor(size)));
		return [version];
	},
};

test('every command that writes rules or filters is listed', () => {
	const listed = Object.keys(commands);
	const written = Object.keys(writingCommands).filter(name => /^(firewall|rules) /.test(name));
	expect(written.filter(name => !listed.some(row => row.startsWith(name)))).toEqual([]);
	expect(written).not.toEqual([]);
});

describe.each(Object.entries(commands))('%s', (name, begin) => {
	async function runIn(size: Size) {
		const service = await serveSimulator({samples: false});
		onTestFinished(() => service.stop());
		const id = zoneIds.enterprise;
		const words = await begin(
			zoneAt(request => service.simulator.fetch(request), id),
			size,
		);
		if (!words) return undefined;
		const [area = '', command = '', ...more] = name.split(' ');
		const leaf = area === 'firewall' && command !== 'emergency' ? [command, more[0] ?? ''] : [command];
		const before = service.writes().length;
		const written = () =>
			service
				.writes()
				.slice(before)
				.filter(({path}) => !path.endsWith('/validate-expr'));
		const options: RunOptions = {cwd: scratch(), clock: virtualClock(), env: service.env};
		const run = (...confirmation: Words) =>
			ledge([area, ...leaf, ...words, '--zone-id', id, ...confirmation], options);
		return {run, written};
	}

	test('asks for the zone name for nearly all traffic or many rules', async () => {
		const at = await runIn('broad');
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
		const at = await runIn('narrow');
		expect(await at?.run('--yes')).toMatchObject({code: 0});
		expect(at?.written()).not.toEqual([]);
	});
});

test.each(sizes)('the undo command that a deletion prints runs unchanged: %s', async size => {
	const service = await serveSimulator({samples: false});
	onTestFinished(() => service.stop());
	const id = zoneIds.enterprise;
	const zone = zoneAt(request => service.simulator.fetch(request), id);
	const {rules} = await zone.custom([{...skipAll, expression: expressionFor(size)}]);
	const options: RunOptions = {cwd: scratch(), clock: virtualClock(), env: service.env};
	const deletion = await ledge(['rules', 'delete', rules[0]?.id ?? '', '--zone-id', id, '--yes'], options);
	const [, printed = ''] = /To undo: (.*)/.exec(deletion.stderr) ?? [];
	expect(printed.includes('--confirm')).toBe(size === 'broad');
	expect(await ledge(printed.split(' ').slice(1), {...options, tty: true, input: 'y\n'})).toMatchObject({
		code: 0,
	});
	const now = await ledge(['rules', 'list', '--json', '--zone-id', id], options);
	expect(JSON.parse(now.stdout)).toMatchObject([{expression: expressionFor(size)}]);
});

type Keys = readonly string[];

/** Every write of the lists of firewall and of custom rules, with the keys that ask for it. */
const screens: Record<
	string,
	{
		readonly on: 'firewall' | 'customRules';
		readonly sizes?: readonly Size[];
		begin(zone: Zone, size: Size): Promise<unknown>;
		keys(space: TestStore, size: Size): Keys | Promise<Keys>;
	}
> = {
	'pause a firewall rule': {
		on: 'firewall',
		sizes: ['narrow'],
		begin: async zone => zone.addRule(await zone.addFilter('true')),
		keys: () => ['p'],
	},
	'resume a firewall rule': {
		on: 'firewall',
		begin: async (zone, size) => zone.addRule(await zone.addFilter(expressionFor(size)), {paused: true}),
		keys: () => ['p'],
	},
	'delete a firewall rule': {
		on: 'firewall',
		sizes: ['narrow'],
		begin: async zone => zone.addRule(await zone.addFilter('true')),
		async keys(space) {
			press(space, 'd');
			choose(space, 'keep');
			return [];
		},
	},
	'the priority of a firewall rule': {
		on: 'firewall',
		async begin(zone, size) {
			await zone.addRule(await zone.addFilter('ip.src eq 192.0.2.9'), {priority: 10});
			const filter = await zone.addFilter(expressionFor(size));
			await zone.addRule(filter, {action: 'allow', priority: 20});
		},
		keys: () => ['down', 'o', 'backspace', 'backspace', '5', 'enter'],
	},
	'pause a filter': {
		on: 'firewall',
		async begin(zone, size) {
			const filter = await zone.addFilter(narrow);
			for (let number = 0; number < countFor(size); number++) await zone.addRule(filter);
		},
		keys: () => ['f', 'p'],
	},
	'resume a filter': {
		on: 'firewall',
		begin: async (zone, size) => zone.addRule(await zone.addFilter(expressionFor(size), {paused: true})),
		keys: () => ['f', 'p'],
	},
	'delete a filter': {
		on: 'firewall',
		sizes: ['narrow'],
		begin: zone => zone.addFilter('true'),
		keys: () => ['tab', 'd'],
	},
	'create a firewall rule': {
		on: 'firewall',
		begin: async () => {},
		async keys(space, size) {
			const {state} = space;
			state().wizard.begin({kind: 'new rule'});
			state().navigation.go('wizard');
			for (const character of expressionFor(size)) state().wizard.type(createTextKey(character));
			state().wizard.goToNextStep();
			state().wizard.chooseAction('allow');
			state().wizard.goToNextStep();
			space.passes(minReviewMs);
			void state().wizard.send();
			return [];
		},
	},
	'create a custom rule': {
		on: 'customRules',
		begin: zone => zone.custom([]),
		async keys(space, size) {
			const {state} = space;
			state().customRule.begin({kind: 'new'});
			state().navigation.go('customRule');
			for (const character of expressionFor(size)) state().customRule.type(createTextKey(character));
			state().customRule.goToNextStep();
			state().customRule.chooseAction('block');
			state().customRule.goToNextStep();
			space.passes(minReviewMs);
			void state().customRule.send();
			return [];
		},
	},
	'pause a custom rule': {
		on: 'customRules',
		sizes: ['narrow'],
		begin: zone => zone.custom([{...skipAll, expression: 'true'}]),
		keys: () => ['p'],
	},
	'resume a custom rule': {
		on: 'customRules',
		begin: (zone, size) => zone.custom([{...skipAll, expression: expressionFor(size), enabled: false}]),
		keys: () => ['p'],
	},
	'delete a custom rule': {
		on: 'customRules',
		sizes: ['narrow'],
		begin: zone => zone.custom([{...skipAll, expression: 'true'}]),
		keys: () => ['d'],
	},
	'move a custom rule': {
		on: 'customRules',
		begin: (zone, size) => zone.custom([...customRules(1), {...skipAll, expression: expressionFor(size)}]),
		keys: (_space, size) => ['down', 'o', 'up', ...(size === 'broad' ? ['enter'] : [])],
	},
	'undo the deletion of a custom rule': {
		on: 'customRules',
		begin: (zone, size) => zone.custom([{...skipAll, expression: expressionFor(size)}]),
		async keys(space) {
			press(space, 'd', 'y');
			await space.until(isIdle);
			return ['u'];
		},
	},
	'undo the addition of custom rules': {
		on: 'customRules',
		begin: zone => zone.custom([]),
		async keys(space, size) {
			const rules = customRules(countFor(size));
			const {plan, send} = space.state().customRules;
			const write = {
				plan: plan(rules),
				label: 'creating custom rules',
				auditLabel: 'create custom rules',
				describeEffect: () => 'Created.',
				unknownOutcome: 'whether the custom rules were created',
			};
			await send(write, undefined, space.signal);
			return ['u'];
		},
	},
	'restore a version of the custom rules': {
		on: 'customRules',
		async begin(zone, size) {
			await zone.custom([{...skipAll, expression: expressionFor(size)}]);
			await zone.custom([]);
		},
		async keys(space) {
			await readPreviousVersion(space);
			return ['enter'];
		},
	},
	'restore what a write of custom rules has overwritten': {
		on: 'customRules',
		async begin(zone) {
			await zone.custom(customRules(2));
			await zone.custom(customRules(1));
		},
		async keys(space, size) {
			await readPreviousVersion(space);
			const theirs = {...skipAll, expression: expressionFor(size)};
			const {id} = space.state().customRules.data?.ruleset ?? {};
			watchWrites(space, () => byOthers(space, 'POST', `/${id}/rules`, theirs));
			press(space, 'enter', 'y');
			await space.until(isIdle);
			vi.restoreAllMocks();
			choose(space, 'restore');
			return [];
		},
	},
};

const isIdle = ({work: {list: work}}: ReturnType<TestStore['state']>) => work.length === 0;

/** Shows the versions of the custom rules, the cursor on the one before the last, read. */
async function readPreviousVersion(space: TestStore): Promise<void> {
	press(space, 'V');
	await space.until(state => state.versions.data?.reading === 'read' && isIdle(state));
	press(space, 'down');
	const previous = space.state().versions.data?.rows[1]?.version ?? '';
	await space.until(state => state.versions.data?.contents.has(previous) === true && isIdle(state));
}

/** Takes a choice of the question in front, and closes it. */
function choose({state}: TestStore, value: string): void {
	const dialog = state().dialog.current;
	if (dialog?.kind !== 'choice') throw new Error(`There is no choice, but ${dialog?.kind}.`);
	state().dialog.close();
	dialog.choose(value);
}

const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

function press(space: TestStore, ...names: Keys): void {
	const app = appOf(space);
	for (const name of names) dispatch(app, key(name));
}

const screenRows = Object.entries(screens).flatMap(([name, row]) =>
	(row.sizes ?? sizes).map(size => ({name, size, ...row})),
);

test.each(screenRows)('on screens, $name: $size', async ({on, size, begin, keys}) => {
	const space = createTestStore();
	const zone = on === 'firewall' ? shop : migrated;
	const at = zoneAt(request => space.simulator.fetch(request), zone.id);
	await begin(at, size);
	space.state().firewall.open(zone);
	space.state().customRules.open(zone);
	if (on === 'firewall') await space.state().firewall.load(space.signal);
	else await space.state().customRules.load(space.signal);
	await space.state().connection.loadConnection();
	space.state().navigation.go(on);
	const asked = await keys(space, size);
	const writes = watchWrites(space);
	press(space, ...asked);
	await space.until(isIdle);
	const dialog = space.state().dialog.current;
	if (size === 'narrow') {
		expect(dialog).not.toMatchObject({requiredInput: zone.name});
		press(space, dialog ? 'y' : 'enter');
	} else {
		expect(dialog).toMatchObject({kind: 'field', requiredInput: zone.name});
		press(space, 'y', 'enter');
		expect(writes).toEqual([]);
		press(space, 'backspace', ...zone.name, 'enter');
	}
	await space.until(isIdle);
	expect(writes).not.toEqual([]);
});
