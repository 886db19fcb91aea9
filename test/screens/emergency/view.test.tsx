import {describe, expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {emergencyKind} from '../../../source/screens/emergency/kind.ts';
import {getInputContext} from '../../../source/screens/shell/action.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {createRuleFormBody, createRuleFormStatus} from '../../../source/screens/stepped-form/rule-view.tsx';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {createBuffer, getBufferText} from '../../../source/text/buffer/buffer.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {openShopFirewall, shop} from '../support/firewall.ts';
import {createTestStore} from '../support/store.ts';

const Emergency = createRuleFormBody(emergencyKind);
const emergencyStatus = createRuleFormStatus(emergencyKind);

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];

/** Draws the emergency screen of the shop with its three rules. `press` sends keys as a terminal does. */
async function drawEmergency(size = sizes[1]) {
	const testStore = createTestStore();
	const app = createTestApp(testStore);
	const shopIds = await openShopFirewall(testStore);
	app.state().emergency.begin();
	app.state().navigation.go('emergency');
	const drawn = draw(app, <Emergency />, size);
	const press = (keys: string) => {
		for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu))
			dispatch(app, name === undefined ? createTextKey(character ?? '') : createKey(name, ''));
	};
	/** Types the expression, and goes to the review of a block. */
	const goToReview = (expression: string) => {
		press(`${expression}<enter>`);
		app.state().emergency.chooseAction('block');
	};
	return {space: testStore, app, drawn, press, toSend: goToReview, made: shopIds};
}

/** 60 different hosts in quotes, which begin with the prefix. */
const listHosts = (prefix: string) =>
	Array.from({length: 60}, (_, index) => `"${prefix}${index}.example"`).join(' ');
const containsText = (text: string) => (rows: readonly string[]) => rows.some(row => row.includes(text));
const joinRows = (rows: readonly string[]) => rows.map(row => row.trim()).join(' ');

describe('the emergency screen', () => {
	test.each(sizes)('says first what it does, at $columns×$rows', async size => {
		const {drawn} = await drawEmergency(size);
		await drawn.until(containsText('EMERGENCY'));
		expect(drawn.rows()[0]).toContain('EMERGENCY: filter and rule');
	});

	test('copies no unfinished request, and says why', async () => {
		const {space: testStore, app, drawn, press, toSend: goToReview} = await drawEmergency();
		goToReview('ssl');
		const firewall = app.state().firewall.data;
		const [rule] = firewall?.rules ?? [];
		if (!firewall || !rule) throw new Error('The shop has rules.');
		const rules = Array.from({length: 1_000}, (_, index) => ({...rule, id: `rule ${index}`}));
		testStore.store.setState({
			firewall: {...testStore.store.getState().firewall, data: {...firewall, rules}},
		});
		app.state().emergency.change({});
		await drawn.until(containsText("which can't be sent now"));
		press('rY');
		expect(app.copied).toEqual([]);
		expect(app.state().messages.latest?.text).toContain("it can't be sent now");
	});

	test('shows the expression, the action, the limits of protection and the request together, at 80×24', async () => {
		const {drawn, toSend: goToReview} = await drawEmergency();
		goToReview('ip.src eq 192.0.2.9');
		await drawn.until(containsText('"action":"block"'));
		const text = joinRows(drawn.rows());
		expect(text).toContain('ip.src eq 192.0.2.9');
		expect(text).toContain('block, active immediately');
		expect(text).toContain('does NOT protect against');
		expect(text).toContain('only challenges');
		expect(text).toContain(`The request, exactly as it will be sent:  POST /zones/${shop.id}/firewall/rules`);
		expect(text).toContain('[{"filter":{"expression":"ip.src eq 192.0.2.9"},"action":"block"}]');
	});

	test.each(sizes)('has no row that is too wide, at any step, at $columns×$rows', async size => {
		const {app, drawn, press, toSend: goToReview} = await drawEmergency(size);
		press(`http.host in {${listHosts('ä東')}}`);
		const fitsWidth = () => Math.max(...drawn.rows().map(measureColumns)) <= size.columns;
		expect(fitsWidth()).toBe(true);
		press('<enter>');
		await drawn.until(containsText('managed_challenge'));
		expect(fitsWidth()).toBe(true);
		goToReview('');
		await drawn.until(containsText('The request, exactly'));
		expect(fitsWidth()).toBe(true);
		expect(drawn.rows().length).toBeLessThanOrEqual(size.rows - 4);
		expect(app.state().emergency.data?.step).toBe('review');
	});

	test.each(sizes)('shows all of a long request, partly by scrolling, at $columns×$rows', async size => {
		const {drawn, press, toSend: goToReview} = await drawEmergency(size);
		goToReview(`http.host in {${listHosts('a')} "the-last.example"}`);
		await drawn.until(containsText('The request, exactly'));
		const hasAll = () => joinRows(drawn.rows()).replaceAll(' ', '').includes('"action":"block"}]');
		for (let pages = 0; pages < 9 && !hasAll(); pages++) {
			press('<pagedown>');
			await drawn.until(() => true);
		}
		expect(hasAll()).toBe(true);
		expect(joinRows(drawn.rows()).replaceAll(' ', '')).toContain('the-last.example');
	});

	test('shows a problem under its characters, and tab fixes it', async () => {
		const {drawn, press} = await drawEmergency();
		press('ip.src == 10.0.0.0/8');
		await drawn.until(containsText('~~~~~~~~~~'));
		const rows = drawn.rows();
		const line = rows.findIndex(row => row.includes('10.0.0.0/8'));
		expect(rows[line + 1]?.indexOf('~')).toBe(rows[line]?.indexOf('10.0.0.0/8'));
		press('<tab>');
		await drawn.until(containsText('ip.src in {10.0.0.0/8}'));
	});

	test('says that the other rules are not read yet, and uses them once they are', async () => {
		const testStore = createTestStore();
		const app = createTestApp(testStore);
		await openShopFirewall(testStore);
		app.state().firewall.open({...shop, id: 'd0e032749968114a09730950255c7c0f'});
		app.state().firewall.open(shop);
		testStore.simulator.faults.replace('method=GET path=rules latency=300');
		app.state().emergency.begin({expression: 'ip.src eq 192.0.2.9'});
		app.state().navigation.go('emergency');
		app.state().emergency.goToNextStep();
		app.state().emergency.chooseAction('block');
		const drawn = draw(app, <Emergency />, sizes[2]);
		await drawn.until(rows => joinRows(rows).includes('not loaded yet'));
		await drawn.until(rows => !joinRows(rows).includes('not loaded yet'));
		expect(joinRows(drawn.rows())).toContain('Requests that IP access rules let through');
	});

	test('has only ASCII in its status line, which cannot know the marks of the theme', async () => {
		const {app, press, toSend: goToReview} = await drawEmergency();
		const ascii = /^[ -~]+$/;
		expect(emergencyStatus(app.state())).toMatch(ascii);
		press('ip.src eq 192.0.2.211<enter>');
		expect(emergencyStatus(app.state())).toMatch(ascii);
		goToReview('');
		expect(emergencyStatus(app.state())).toMatch(ascii);
	});

	test('says that nothing was sent, until something is', async () => {
		const {space: testStore, app, toSend: goToReview} = await drawEmergency();
		goToReview('ip.src eq 192.0.2.211');
		expect(emergencyStatus(app.state())).toContain('nothing has been sent');
		testStore.advanceClock(minReviewMs);
		await app.state().emergency.send();
		expect(emergencyStatus(app.state())).toBe('');
	});
});

/** The hint of the key O in the footer. */
const getHint = ({state}: ReturnType<typeof createTestApp>) =>
	listHintedActions(actions, state()).find(({keys}) => keys.includes('O'))?.hint;

describe('the keys', () => {
	test('are text while typing the expression, even if they have a function elsewhere', async () => {
		const {app, press} = await drawEmergency();
		press('q?:jpGH!');
		expect(app.state().emergency.data?.editing.analysis.text).toBe('q?:jpGH!');
		expect(getInputContext(app.state())).toBe('emergency');
	});

	test('O puts the rule before the others, and back again', async () => {
		const {app, drawn, press, toSend: goToReview} = await drawEmergency();
		goToReview('ssl');
		expect(getHint(app)).toBe('run first');
		press('O');
		await drawn.until(containsText('"priority":1'));
		expect(getHint(app)).toBe('no priority');
		expect(joinRows(drawn.rows())).not.toContain('only challenge');
		press('O');
		await drawn.until(rows => !containsText('"priority":1')(rows));
		expect(getBufferText(app.state().emergency.data?.aboutFields.order ?? createBuffer(''))).toBe('');
	});

	test('r shows the curl line, and Y copies it with the credential as a variable', async () => {
		const {app, drawn, press, toSend: goToReview} = await drawEmergency();
		goToReview('ip.src eq 192.0.2.211');
		press('r');
		await drawn.until(containsText('curl -sS -X POST'));
		press('Y');
		expect(app.copied[0]).toContain('$CLOUDFLARE_API_TOKEN');
		expect(app.copied[0]).toContain(`'[{"filter":{"expression":"ip.src eq 192.0.2.211"},"action":"block"}]'`);
	});

	test('y comes first at the last step, as the key that sends', async () => {
		const {app, toSend: goToReview} = await drawEmergency();
		goToReview('ip.src eq 192.0.2.211');
		expect(listHintedActions(actions, app.state())[0]).toMatchObject({id: 'emergency.send', hint: 'send'});
	});

	test('y scrolls a request longer than the screen, and sends it only at the end', async () => {
		const {space: testStore, app, drawn, press, toSend: goToReview} = await drawEmergency(sizes[0]);
		goToReview(`http.host in {${listHosts('a')} "the-last.example"}`);
		await drawn.until(containsText('The request, exactly'));
		expect(listHintedActions(actions, app.state())[0]).toMatchObject({hint: 'read on'});
		for (let pages = 0; pages < 9 && app.state().emergency.data?.phase.name === 'asking'; pages++) {
			const {rows: calls} = app.state().activity.data;
			expect(calls.filter(({method}) => method === 'POST')).toEqual([]);
			if (listHintedActions(actions, app.state())[0]?.hint === 'send') break;
			testStore.advanceClock(minReviewMs);
			press('y');
		}
		await drawn.until(rows => joinRows(rows).replaceAll(' ', '').includes('"action":"block"}]'));
		expect(listHintedActions(actions, app.state())[0]).toMatchObject({hint: 'send'});
	});

	test('at 60×15 y is offered for sending with the whole request visible', async () => {
		const {app, drawn, toSend: goToReview} = await drawEmergency(sizes[0]);
		goToReview('ip.src eq 192.0.2.9');
		await drawn.until(containsText('The request, exactly'));
		const text = joinRows(drawn.rows()).replaceAll(' ', '');
		expect(text).toContain('[{"filter":{"expression":"ip.srceq192.0.2.9"},"action":"block"}]');
		expect(listHintedActions(actions, app.state())[0]).toMatchObject({hint: 'send'});
	});

	test('announces that y asks for the name of the zone', async () => {
		const {drawn, toSend: goToReview} = await drawEmergency();
		goToReview('http.request.uri.path eq "/wp-login.php"');
		await drawn.until(containsText('The request, exactly'));
		expect(joinRows(drawn.rows())).toContain("limited to specific IP addresses. y asks for the zone's name.");
	});

	test('scrolls a result that is longer than the screen', async () => {
		const {space: testStore, app, drawn, press, toSend: goToReview} = await drawEmergency(sizes[0]);
		goToReview('ip.src eq 192.0.2.9');
		await drawn.until(containsText('The request, exactly'));
		testStore.advanceClock(minReviewMs);
		await app.state().emergency.send();
		await drawn.until(containsText('more rows: space'));
		expect(joinRows(drawn.rows())).not.toContain('firewall rule delete');
		for (let pages = 0; pages < 9; pages++) press('<space>');
		await drawn.until(containsText('firewall rule delete'));
		press('<pageup>');
		await drawn.until(containsText('more rows: space'));
	});

	test('moving the cursor in the choices does not make a choice count as too early', async () => {
		const {space: testStore, app, drawn, toSend: goToReview} = await drawEmergency();
		goToReview('ip.src eq 192.0.2.211');
		testStore.simulator.faults.replace('method=POST path=rules status=403');
		testStore.advanceClock(minReviewMs);
		await app.state().emergency.send();
		await drawn.until(containsText('Not active.'));
		testStore.advanceClock(minReviewMs);
		app.state().emergency.operations.setEndingCursor(1);
		await drawn.until(() => app.state().emergency.data?.phase.name === 'ended');
		const expression = {id: 'change the expression', label: ''} as const;
		await app.state().emergency.decide(expression);
		expect(app.state().emergency.data?.step).toBe('expression');
	});

	test('ctrl-c asks before a rejected rule is lost', async () => {
		const {space: testStore, app, press, toSend: goToReview} = await drawEmergency();
		goToReview('ip.src eq 192.0.2.211');
		testStore.simulator.faults.replace('method=POST path=rules status=403');
		testStore.advanceClock(minReviewMs);
		await app.state().emergency.send();
		press('<ctrl-c>');
		expect(app.state().dialog.current).toMatchObject({kind: 'confirm', title: 'Quit ledge?'});
	});

	test('esc asks before typed text is lost', async () => {
		const {app, press} = await drawEmergency();
		press('ip.src eq 192.0.2.211<esc>');
		expect(app.state().dialog.current).toMatchObject({kind: 'choice', title: 'Close the emergency?'});
		const question = app.state().dialog.current;
		app.state().dialog.close();
		if (question?.kind === 'choice') question.choose('keep');
		expect(app.state().navigation.stack).not.toContain('emergency');
	});

	test('esc leaves at once if nothing was typed', async () => {
		const {app, press} = await drawEmergency();
		press('<esc>');
		expect(app.state().navigation.stack).not.toContain('emergency');
	});
});

describe('the result', () => {
	test('names the rule and the way to undo it', async () => {
		const {space: testStore, app, drawn, press, toSend: goToReview} = await drawEmergency();
		goToReview('ip.src eq 192.0.2.211');
		testStore.advanceClock(minReviewMs);
		await app.state().emergency.send();
		await drawn.until(containsText('Active: rule'));
		const [rule] = app.state().firewall.data?.rules.filter(({action}) => action === 'block') ?? [];
		expect(rule).toBeDefined();
		expect(joinRows(drawn.rows())).toContain('ledge firewall rule delete');
		press('y');
		expect(app.copied[0]).toMatch(/^ledge firewall rule delete [0-9a-f]{32} --zone-id /);
	});

	test.each(
		sizes,
	)('reports that firewall rules are gone and shows the custom rule, at $columns×$rows', async size => {
		const {space: testStore, app, drawn, toSend: goToReview} = await drawEmergency(size);
		goToReview('ip.src eq 192.0.2.211');
		testStore.simulator.faults.replace('path=firewall/rules status=410');
		testStore.advanceClock(minReviewMs);
		await app.state().emergency.send();
		await drawn.until(containsText('are retired'));
		await drawn.until(containsText('/rulesets'));
		expect(drawn.rows()[0]).toContain('EMERGENCY');
	});
});
