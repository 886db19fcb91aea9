import {expect, test} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {customRuleKind, rateLimitKind} from '../../../source/screens/ruleset-form/kind.ts';
import type {AnyRuleKind} from '../../../source/screens/stepped-form/rule-form.ts';
import {createRuleFormBody} from '../../../source/screens/stepped-form/rule-view.tsx';
import {firewallRuleKind} from '../../../source/screens/wizard/kind.ts';
import {migratedSampleZone} from '../support/custom-rules.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

test.each([
	['a firewall rule', firewallRuleKind as AnyRuleKind],
	['a custom rule', customRuleKind as AnyRuleKind],
	['a rate limit', rateLimitKind as AnyRuleKind],
])('the form of %s shows errors and warnings, but no hints', async (_, kind) => {
	const testStore = createTestStore({simulate: true});
	const app = createTestApp(testStore);
	const {state} = testStore;
	state()[kind.list].open(migratedSampleZone);
	if (kind === firewallRuleKind) state().wizard.begin({kind: 'new rule'});
	else if (kind === customRuleKind) state().customRule.begin({kind: 'new'});
	else state().rateLimit.begin({kind: 'new'});
	state().navigation.go(kind.screen);
	const Form = createRuleFormBody(kind);
	const drawn = draw(app, <Form />, {columns: 80, rows: 24});
	const type = (text: string) => {
		for (const character of text) dispatch(app, createTextKey(character));
	};
	const joinRows = () =>
		drawn
			.rows()
			.map(row => row.trim())
			.join(' ');
	const expectOnly = async (sentence: string, hintCount: number) => {
		await drawn.until(() => joinRows().includes(sentence));
		const hints = kind.getForm(state())?.editing.analysis.hints ?? [];
		expect(hints).toHaveLength(hintCount);
		for (const hint of hints) expect(joinRows()).not.toContain(hint.sentence.slice(0, 25));
	};

	type('ssl && http.user_agent contains "curl"');
	await expectOnly('✓ can be sent as is', 1);
	type(' and http.host contains ""');
	await expectOnly('Every string matches ""', 2);
	type(' and http.hots eq "a"');
	await expectOnly('Unknown field http.hots', 0);
});

test('the hint of the line under the cursor stays beside the problem of another line', async () => {
	const testStore = createTestStore({simulate: true});
	const app = createTestApp(testStore);
	const {state} = testStore;
	state().rateLimits.open(migratedSampleZone);
	state().rateLimit.begin({kind: 'new'});
	state().navigation.go('rateLimit');
	const Form = createRuleFormBody(rateLimitKind);
	const drawn = draw(app, <Form />, {columns: 80, rows: 24});
	for (const character of 'ssl') dispatch(app, createTextKey(character));
	state().rateLimit.goToNextStep();
	state().rateLimit.chooseAction('block');
	dispatch(app, {name: 'down', text: '', sequence: ''});
	await drawn.until(rows => {
		const text = rows.join(' ');
		return text.includes('seconds: 10, 60, 120') && text.includes('Type how many requests are allowed');
	});
});
