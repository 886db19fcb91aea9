import {vi} from 'vitest';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildMergeNoteRows, buildMergeReviewRows} from '../../../source/screens/merge/rows.ts';
import {getReadyMerge} from '../../../source/screens/merge/state.ts';
import type {Row} from '../../../source/screens/rows/rows.ts';
import {simulatedBaseUrl} from '../../../source/service/connect.ts';
import {appOf} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

/** A zone of the simulated service, on the Pro plan, with three firewall rules and no custom rule. */
export const shop = {
	id: '6e23b63489e7241c0d871b10a397cebb',
	name: 'acme-shop.example',
	plan: 'pro',
	label: 'zone acme-shop.example',
} as const;

const entryPoint = '/rulesets/phases/http_request_firewall_custom/entrypoint';

type Json = Readonly<Record<string, unknown>>;

/** Sends a request about the zone behind the back of the store; returns `result`, or nothing where it is absent. */
export async function byOthers<T = Json>(
	{simulator}: Pick<TestStore, 'simulator'>,
	method: string,
	path: string,
	body?: unknown,
): Promise<T | undefined> {
	const answer = await simulator.fetch(
		new Request(`${simulatedBaseUrl}/zones/${shop.id}${path}`, {
			method,
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		}),
	);
	const {success, result, errors} = (await answer.json()) as {success: boolean; result: T; errors: unknown};
	if (answer.status === 404) return undefined;
	if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
	return result;
}

/** The custom rules as the service has them. */
export const customRulesThere = async (space: TestStore): Promise<readonly RulesetRule[]> =>
	(await byOthers<{rules: RulesetRule[]}>(space, 'GET', entryPoint))?.rules ?? [];

export const firewallRulesThere = async (space: TestStore): Promise<readonly Rule[]> =>
	(await byOthers<Rule[]>(space, 'GET', '/firewall/rules')) ?? [];

/** Makes these the custom rules of the zone; returns them with their ids. */
export async function otherRules(
	space: TestStore,
	...rules: readonly RulesetRule[]
): Promise<readonly RulesetRule[]> {
	const made = await byOthers<{rules: RulesetRule[]}>(space, 'PUT', entryPoint, {rules});
	return made?.rules ?? [];
}

export const blocking = (host: string, id?: string): RulesetRule => ({
	...(id !== undefined && {id}),
	action: 'block',
	expression: `http.host eq "${host}"`,
});

/** The writes that reach the service from here on; `before` is awaited before the first one is done. */
export function watchWrites(space: TestStore, before?: () => Promise<unknown>) {
	const writes: {method: string; path: string; body: unknown}[] = [];
	const {fetch} = space.simulator;
	let isFirst = true;
	vi.spyOn(space.simulator, 'fetch').mockImplementation(async request => {
		if (request.method === 'GET') return fetch(request);
		const text = await request.clone().text();
		const path = new URL(request.url).pathname.replace(new URL(simulatedBaseUrl).pathname, '');
		writes.push({method: request.method, path, ...(text !== '' && {body: JSON.parse(text)})} as never);
		if (isFirst && before) {
			isFirst = false;
			vi.mocked(space.simulator.fetch).mockImplementation(fetch);
			await before();
			vi.mocked(space.simulator.fetch).mockRestore();
		}
		return fetch(request);
	});
	return writes;
}

const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});
const isIdle = ({work: {list: work}}: ReturnType<TestStore['state']>) => work.length === 0;

/** The firewall rules of the zone in front, and `m` pressed: both sides are read. */
export async function atMerge(
	space = createTestStore(),
	zone: Parameters<ReturnType<TestStore['state']>['firewall']['open']>[0] = shop,
) {
	const {state} = space;
	const app = appOf(space);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	const settled = () => space.until(isIdle);
	/** What is typed into the dialog in front, which is submitted. */
	const submit = async (text: string) => {
		state().dialog.setText(text);
		state().dialog.submit();
		await settled();
	};
	await state().connection.loadConnection();
	state().firewall.open(zone);
	await state().firewall.load(space.signal);
	state().navigation.go('firewall');
	press('m');
	await settled();
	return {space, press, settled, submit};
}

const textOf = (rows: readonly Row[]): string =>
	rows.map(row => row.map(({text}) => text).join('')).join('\n');
const marks = {failed: 'x', warning: '!', done: '+'};

/** What is shown below the rules. */
export const notes = ({state}: TestStore): string => textOf(buildMergeNoteRows(state(), 200, marks));

/** The review in front. */
export const review = ({state}: TestStore): string => textOf(buildMergeReviewRows(state(), 400, marks));

/** The merged rules in a line each: `+ 2 block ssl`. */
export const shown = ({state}: TestStore): readonly string[] =>
	getReadyMerge(state())?.rows.map(
		({isNew, position, rule: {action, expression}}) =>
			`${isNew ? '+' : ' '} ${position} ${action} ${expression}`,
	) ?? [];

export const said = ({state}: TestStore): string => state().messages.latest?.text ?? '';
