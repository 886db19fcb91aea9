import {describe, expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {customRuleKind, rateLimitKind} from '../../../source/screens/ruleset-form/kind.ts';
import type {ZoneWithLabel} from '../../../source/screens/shell/zone-with-label.ts';
import type {AnyRuleKind} from '../../../source/screens/stepped-form/rule-form.ts';
import {createRuleFormBody} from '../../../source/screens/stepped-form/rule-view.tsx';
import {firewallRuleKind} from '../../../source/screens/wizard/kind.ts';
import type {WizardPurpose} from '../../../source/screens/wizard/state.ts';
import {migratedSampleZone} from '../support/custom-rules.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {blog} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

/** The middle of a working day. */
const noon = Date.UTC(2026, 10, 23, 12);

const note = 'Events are a sample of requests that a rule acted on, not of all traffic.';

/** Draws the form of a new rule in a zone, and returns what a user does there. */
function openForm(
	kind: AnyRuleKind,
	{
		zone = migratedSampleZone,
		faults = '',
		size = {columns: 80, rows: 24},
		purpose,
	}: {
		readonly zone?: ZoneWithLabel;
		readonly faults?: string;
		readonly size?: {readonly columns: number; readonly rows: number};
		readonly purpose?: WizardPurpose;
	} = {},
) {
	const testStore = createTestStore({simulate: true}, {fixedTime: noon, ...(faults !== '' && {faults})});
	const app = createTestApp(testStore);
	const {state} = testStore;
	state()[kind.list].open(zone);
	if (kind === firewallRuleKind) state().wizard.begin(purpose ?? {kind: 'new rule'});
	else if (kind === customRuleKind) state().customRule.begin({kind: 'new'});
	else state().rateLimit.begin({kind: 'new'});
	state().navigation.go(kind.screen);
	const Form = createRuleFormBody(kind);
	const drawn = draw(app, <Form />, size);
	const press = (name: string) => dispatch(app, createKey(name, ''));
	const type = (text: string) => {
		for (const character of text) dispatch(app, createTextKey(character));
	};
	/** Joins the drawn rows, without the wrapping. */
	const joinRows = (rows: readonly string[]) => rows.map(row => row.trim()).join(' ');
	return {
		state,
		press,
		type,
		waitFor: (text: string | RegExp) =>
			drawn.until(rows =>
				typeof text === 'string' ? joinRows(rows).includes(text) : text.test(joinRows(rows)),
			),
		calls: () => testStore.simulator.calls.list(),
		until: testStore.until,
	};
}

describe('ctrl-v in a rule form', () => {
	test.each([
		['a firewall rule', firewallRuleKind],
		['a custom rule', customRuleKind as AnyRuleKind],
		['a rate limit', rateLimitKind as AnyRuleKind],
	])('counts the events that the expression of %s matches', async (_, kind) => {
		const form = openForm(kind);
		form.type('http.request.method eq "POST"');
		form.press('ctrl-v');
		await form.waitFor(/Matches \d+ of the last 1,000 security events \(\d h, sampled; more exist\)\./);
		await form.waitFor(/Most frequent: \/\S+ \(\d+\), [A-Z]{2} \(\d+\), [0-9a-f.:]+ \(\d+\)\./);
		await form.waitFor(note);
		expect(form.calls().every(({method, path}) => method === 'GET' || path.endsWith('/graphql'))).toBe(true);
	});

	test('names the fields that events lack, and its report disappears with the next change', async () => {
		const form = openForm(firewallRuleKind);
		form.type('http.cookie eq "a"');
		form.press('ctrl-v');
		await form.waitFor("1,000 can't be decided: events do not include http.cookie.");
		// Moving the cursor is no change.
		form.press('left');
		await form.waitFor(note);
		form.press('right');
		form.type(' ');
		await form.waitFor(/^(?!.*Events are).*http\.cookie/);
		form.press('backspace');
		await form.waitFor(note);
	});

	test('reports typed addresses like their expression, and nothing for what is not valid', async () => {
		const form = openForm(customRuleKind);
		form.press('ctrl-v');
		expect(form.state().messages.latest?.text).toBe('There is no expression to count events for.');
		form.type('http.host eq');
		form.press('ctrl-v');
		expect(form.state().messages.latest?.text).toMatch(/^Can't be evaluated: /);
		form.press('ctrl-u');
		form.type('192.0.2.52 /login');
		form.press('ctrl-v');
		expect(form.state().messages.latest?.text).toMatch(/^Press enter first/);
		form.press('ctrl-u');
		expect(form.calls().filter(({path}) => path.endsWith('/graphql'))).toEqual([]);
		form.type('192.0.2.52');
		form.press('ctrl-v');
		await form.waitFor(/192\.0\.2\.52 \(\d+\)\./);
	});

	test('counts events for an existing filter', async () => {
		const filter = {
			id: '52010765ea08c3f0a1b2c3d4e5f60718',
			expression: 'ip.src eq 192.0.2.52',
			paused: false,
		};
		const form = openForm(firewallRuleKind, {purpose: {kind: 'new rule', filter}});
		form.press('ctrl-v');
		await form.waitFor(/Matches [1-9]\d* of the last 1,000 security events/);
	});

	test.each([
		['analytics=not-authorized', 'require the permission Zone Analytics: Read. Add it to the token'],
		['status=404 path=graphql', 'are not available from this service.'],
		['analytics=budget-depleted', 'were requested too often. Try again in 5 minutes.'],
		['html=502 path=graphql', 'could not be loaded. Try again in a moment.'],
	])('says what is missing, and the form works: %s', async (faults, sentence) => {
		const form = openForm(customRuleKind, {faults});
		form.type('ssl');
		form.press('ctrl-v');
		await form.waitFor(`Individual security events ${sentence}`);
		form.press('enter');
		expect(form.state().customRule.data?.step).toBe('action');
	});

	test('says that the Free plan has no single events', async () => {
		const form = openForm(firewallRuleKind, {zone: blog});
		form.type('ssl');
		form.press('ctrl-v');
		await form.waitFor('Individual security events are not included in this plan.');
	});

	test('reports in the smallest terminal too', async () => {
		const form = openForm(customRuleKind, {size: {columns: 40, rows: 10}});
		form.type('http.request.method eq "POST" and ip.src.country in {"DE" "FR"}');
		form.press('ctrl-v');
		await form.waitFor(
			/"FR"} +Matches \d+ of 1,000 events \(\d h\)\. Most: \/\S+ \(\d+\), [A-Z]{2} \(\d+\)…/,
		);
	});

	test('reports first what counts, in the smallest terminal: undecided events, also of a filter', async () => {
		const size = {columns: 40, rows: 10};
		const form = openForm(customRuleKind, {size});
		form.type('http.request.method eq "POST" and http.cookie contains "a"');
		form.press('ctrl-v');
		await form.waitFor(/Matches \d+ of 1,000 events \(\d h\)\. +\d+ undecided: http\.cookie\./);
		const filter = {id: '52010765ea08c3f0a1b2c3d4e5f60718', expression: 'http.cookie eq "a"', paused: false};
		const filterForm = openForm(firewallRuleKind, {purpose: {kind: 'new rule', filter}, size});
		filterForm.press('ctrl-v');
		await filterForm.waitFor(/Unknown for 1,000 events \(\d h\)\. +1,000 undecided: http\.cookie\./);
	});

	test('forgets a report that was cancelled, and reads again', async () => {
		const form = openForm(customRuleKind);
		form.type('ssl');
		form.press('ctrl-v');
		await form.waitFor('Loading security events…');
		form.state().work.cancelReads();
		await form.until(({customRule: {data}}) => data?.matchReport === undefined);
		form.press('ctrl-v');
		await form.waitFor(note);
	});
});
