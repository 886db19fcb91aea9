import {expect, test} from 'vitest';
import {addEnd} from '../../../source/firewall/rules/end-time.ts';
import {buildCustomRuleRows} from '../../../source/screens/custom-rules/detail-rows.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {
	callRulesetsAsOther,
	listShownIds,
	openMigratedCustomRules,
	rulesetId,
	watchWrites,
} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {expectDialog, getMessage, isIdle, key} from '../support/firewall-keys.ts';
import {createTestStore} from '../support/store.ts';

test('custom rules that have ended are deleted together, and restored by undo', async () => {
	const testStore = createTestStore();
	await openMigratedCustomRules(testStore);
	const app = createTestApp(testStore);
	const press = (name: string) => dispatch(app, key(name));
	const before = listShownIds(testStore);
	press('Z');
	expect(testStore.state().dialog.current).toBeUndefined();
	for (const action of ['block', 'challenge'])
		await callRulesetsAsOther(testStore, 'POST', `/${rulesetId}/rules`, {
			action,
			expression: addEnd('http.host eq "sale.example"', 1_700_000_000),
		});
	await testStore.state().customRules.load(testStore.signal);
	press('G');
	const {data} = testStore.state().customRules;
	const rows = data ? buildCustomRuleRows(data, 80, {warning: '!', dot: '-'}) : [];
	expect(rows.map(row => row.map(({text}) => text).join('')).join('\n')).toContain('ended: has no effect');
	press('p');
	expect(expectDialog(testStore, 'confirm').lines).toContain('It has ended and matches no more requests.');
	expect(expectDialog(testStore, 'confirm').lines.join()).not.toContain('get through');
	press('esc');
	const writes = watchWrites(testStore);
	press('Z');
	const {title, lines} = expectDialog(testStore, 'confirm');
	expect(title).toBe('Delete 2 rules?');
	expect(lines).toContain('They have ended and match no more requests.');
	press('y');
	await testStore.until(isIdle);
	expect(writes).toHaveLength(1);
	expect(listShownIds(testStore)).toEqual(before);
	expect(getMessage(testStore)).toBe('2 rules deleted. u undoes it.');
});
