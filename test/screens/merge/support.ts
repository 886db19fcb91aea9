import {vi} from 'vitest';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildMergeNoteRows, buildMergeReviewRows} from '../../../source/screens/merge/rows.ts';
import {getReadyMerge} from '../../../source/screens/merge/state.ts';
import type {Row} from '../../../source/screens/rows/rows.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {simulatedBaseUrl} from '../../../source/settings/base-url.ts';
import {createTestApp} from '../support/drawn.tsx';
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

/** Sends a request about the zone as someone else. Returns `result`; undefined after a 404. */
export async function callShopAsOther<T = Json>(
	{simulator}: Pick<TestStore, 'simulator'>,
	method: string,
	path: string,
	body?: unknown,
): Promise<T | undefined> {
	const response = await simulator.fetch(
		new Request(`${simulatedBaseUrl}/zones/${shop.id}${path}`, {
			method,
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		}),
	);
	const {success, result, errors} = (await response.json()) as {success: boolean; result: T; errors: unknown};
	if (response.status === 404) return undefined;
	if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
	return result;
}

/** The custom rules as the service has them. */
export const readShopCustomRules = async (testStore: TestStore): Promise<readonly RulesetRule[]> =>
	(await callShopAsOther<{rules: RulesetRule[]}>(testStore, 'GET', entryPoint))?.rules ?? [];

export const readShopFirewallRules = async (testStore: TestStore): Promise<readonly Rule[]> =>
	(await callShopAsOther<Rule[]>(testStore, 'GET', '/firewall/rules')) ?? [];

/** Makes these the custom rules of the zone; returns them with their ids. */
export async function putShopCustomRules(
	testStore: TestStore,
	...rules: readonly RulesetRule[]
): Promise<readonly RulesetRule[]> {
	const response = await callShopAsOther<{rules: RulesetRule[]}>(testStore, 'PUT', entryPoint, {rules});
	return response?.rules ?? [];
}

export const buildBlockRule = (host: string, id?: string): RulesetRule => ({
	...(id !== undefined && {id}),
	action: 'block',
	expression: `http.host eq "${host}"`,
});

/** The writes that reach the service from here on; `before` is awaited before the first one is done. */
export function watchWrites(testStore: TestStore, before?: () => Promise<unknown>) {
	const writes: {method: string; path: string; body: unknown}[] = [];
	const {fetch} = testStore.simulator;
	let isFirst = true;
	vi.spyOn(testStore.simulator, 'fetch').mockImplementation(async request => {
		if (request.method === 'GET') return fetch(request);
		const text = await request.clone().text();
		const path = new URL(request.url).pathname.replace(new URL(simulatedBaseUrl).pathname, '');
		writes.push({method: request.method, path, ...(text !== '' && {body: JSON.parse(text)})} as never);
		if (isFirst && before) {
			isFirst = false;
			vi.mocked(testStore.simulator.fetch).mockImplementation(fetch);
			await before();
			vi.mocked(testStore.simulator.fetch).mockRestore();
		}
		return fetch(request);
	});
	return writes;
}

const buildKey = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});
const isIdle = ({work: {list: work}}: ReturnType<TestStore['state']>) => work.length === 0;

/** Opens the firewall rules of a zone and presses `m`, and waits until its custom rules are read, too. */
export async function atMerge(
	testStore = createTestStore(),
	zone: Parameters<ReturnType<TestStore['state']>['firewall']['open']>[0] = shop,
) {
	const {state} = testStore;
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) {
			// A review must have been visible for a moment.
			testStore.advanceClock(minReviewMs);
			dispatch(app, buildKey(name));
		}
	};
	const waitUntilIdle = () => testStore.until(isIdle);
	/** Sets the text of the dialog in front, submits it, and waits until nothing is under way. */
	const submit = async (text: string) => {
		state().dialog.setText(text);
		state().dialog.submit();
		await waitUntilIdle();
	};
	await state().connection.loadConnection();
	state().firewall.open(zone);
	await state().firewall.load(testStore.signal);
	state().navigation.go('firewall');
	press('m');
	await waitUntilIdle();
	/** Confirms the review with `y`, and waits until nothing is under way. */
	const send = async () => {
		press('y');
		await waitUntilIdle();
	};
	return {space: testStore, press, settled: waitUntilIdle, submit, send};
}

const joinRows = (rows: readonly Row[]): string =>
	rows.map(row => row.map(({text}) => text).join('')).join('\n');
const marks = {failed: 'x', warning: '!', done: '+'};

/** What is shown below the rules. */
export const getNotesText = ({state}: TestStore): string => joinRows(buildMergeNoteRows(state(), 200, marks));

/** The review in front. */
export const getReviewText = ({state}: TestStore): string =>
	joinRows(buildMergeReviewRows(state(), 400, marks));

/** The merged rules, one line each; `+ 2 block ssl` is a new rule at position 2. */
export const listMergedLines = ({state}: TestStore): readonly string[] =>
	getReadyMerge(state())?.rows.map(
		({isNew, position, rule: {action, expression}}) =>
			`${isNew ? '+' : ' '} ${position} ${action} ${expression}`,
	) ?? [];

export const getMessageText = ({state}: TestStore): string => state().messages.latest?.text ?? '';
