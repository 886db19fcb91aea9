import {expect, test} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {
	callRulesetsAsOther,
	migratedSampleZone,
	openMigratedCustomRules,
	readRateLimitsAtService,
	watchWrites,
} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {expectDialog, isIdle} from '../support/firewall-keys.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const loginLimitId = 'a92e4f6c1d3b4870b5e8c7f2d0416e01';

/** Opens the rate limits of the migrated zone; `press` takes names of keys, `type` takes text. */
async function openRateLimits() {
	const testStore = createTestStore();
	await openMigratedCustomRules(testStore);
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, {name, text: [...name].length === 1 ? name : '', sequence: name});
	};
	const type = (text: string) => {
		for (const character of text) dispatch(app, createTextKey(character));
	};
	press('L');
	await testStore.until(
		({rateLimits: {data}, work: {list}}) => data?.reading === 'read' && list.length === 0,
	);
	return {testStore, press, type};
}

const getForm = ({state}: TestStore) => {
	const {data} = state().rateLimit;
	if (!data) throw new Error('There is no form.');
	return data;
};

async function waitForResult(testStore: TestStore) {
	await testStore.until(({rateLimit: {data}}) => data?.phase.name === 'ended');
	const {phase} = getForm(testStore);
	return phase.name === 'ended' ? phase.ending : undefined;
}

/** Sends the review with `y`; the zone's name is typed if it is asked for. */
async function sendReview(testStore: TestStore, press: (...names: readonly string[]) => void) {
	testStore.advanceClock(minReviewMs);
	press('y');
	if (testStore.state().dialog.current?.kind === 'field') {
		testStore.state().dialog.setText(migratedSampleZone.name);
		press('enter');
	}
	return waitForResult(testStore);
}

test('a rate limit is created from its lines, with what the review shows', async () => {
	const {testStore, press, type} = await openRateLimits();
	const writes = watchWrites(testStore);
	press('a');
	expect(getCurrentScreen(testStore.state())).toBe('rateLimit');
	type('http.request.uri.path eq "/x"');
	press('enter');
	testStore.state().rateLimit.chooseAction('managed_challenge');
	expect(getForm(testStore).aboutFields.cursorRow).toBe('requests');
	press('enter');
	expect(testStore.state().messages.latest?.text).toBe(
		'Type how many requests are allowed per period: 1 or more, not 0.',
	);
	type('30');
	press('tab');
	type('10');
	press('tab');
	type('cf.colo.id, ip.src, http.request.headers["a,b"]');
	press('tab');
	type('0');
	press('tab');
	type('http.response.code eq 404');
	press('enter');
	const [request] = getForm(testStore).requests ?? [];
	expect(await sendReview(testStore, press)).toMatchObject({state: 'done'});
	expect(writes).toEqual([{method: request?.method, path: request?.path, body: request?.body}]);
	expect((await readRateLimitsAtService(testStore)).at(-1)).toMatchObject({
		action: 'managed_challenge',
		expression: 'http.request.uri.path eq "/x"',
		ratelimit: {
			requests_per_period: 30,
			period: 10,
			characteristics: ['cf.colo.id', 'ip.src', 'http.request.headers["a,b"]'],
			mitigation_timeout: 0,
			counting_expression: 'http.response.code eq 404',
		},
	});
	testStore.advanceClock(minReviewMs);
	await testStore.state().rateLimit.decide({id: 'leave', label: 'Done'});
	expect(getCurrentScreen(testStore.state())).toBe('rateLimits');
	expect(testStore.state().rateLimits.data?.rows).toHaveLength(4);
	expect(testStore.state().messages.latest?.text).toMatch(/ created\. u undoes it\.$/);
	press('u');
	expect(expectDialog(testStore, 'field').title).toBe('Undo the last change?');
	testStore.state().dialog.setText(migratedSampleZone.name);
	press('enter');
	await testStore.until(isIdle);
	expect(await readRateLimitsAtService(testStore)).toHaveLength(3);
});

test('a stricter limit needs a confirmation, and fields that are not shown stay', async () => {
	const {testStore, press, type} = await openRateLimits();
	const before = (await readRateLimitsAtService(testStore)).find(({id}) => id === loginLimitId);
	press('e', 'enter');
	testStore.state().rateLimit.chooseAction('block');
	expect(getBufferText(getForm(testStore).aboutFields.requests)).toBe('20');
	type('10');
	press('enter');
	expect(await sendReview(testStore, press)).toMatchObject({state: 'done'});
	const after = (await readRateLimitsAtService(testStore)).find(({id}) => id === loginLimitId);
	expect(before).toMatchObject({ratelimit: {requests_to_origin: false}});
	expect(after).toMatchObject({
		description: before?.description,
		ratelimit: {...(before?.ratelimit as object), requests_per_period: 10},
	});
});

test('a looser limit is sent only after the name of the zone was typed', async () => {
	const {testStore, press, type} = await openRateLimits();
	const writes = watchWrites(testStore);
	press('e', 'enter');
	testStore.state().rateLimit.chooseAction('block');
	type('200');
	press('enter');
	testStore.advanceClock(minReviewMs);
	press('y');
	const question = expectDialog(testStore, 'field');
	expect(question.requiredInput).toBe(migratedSampleZone.name);
	expect(question.lines.join(' ')).toContain('It allows more: 20 requests in 60 s → 200 requests in 60 s.');
	expect(writes).toEqual([]);
});

test('a limit that someone else changed meanwhile is not overwritten', async () => {
	const {testStore, press, type} = await openRateLimits();
	press('e', 'enter');
	testStore.state().rateLimit.chooseAction('block');
	type('10');
	press('enter');
	const {rateLimits} = testStore.state();
	const rule = rateLimits.data?.ruleset?.rules.find(({id}) => id === loginLimitId);
	await callRulesetsAsOther(testStore, 'PATCH', `/${rateLimits.data?.ruleset?.id}/rules/${loginLimitId}`, {
		...rule,
		description: 'changed elsewhere',
	});
	expect(await sendReview(testStore, press)).toMatchObject({state: 'changed meanwhile'});
	expect((await readRateLimitsAtService(testStore))[0]).toMatchObject({
		description: 'changed elsewhere',
		ratelimit: {requests_per_period: 20},
	});
});

test.each([
	['requests', '0', /how many requests/],
	['period', 'soon', /period in seconds/],
	['period', '45', /period in seconds/],
	['characteristics', ' , ', /Add cf\.colo\.id/],
	['characteristics', 'ip.src', /Add cf\.colo\.id/],
	['timeout', '-1', /how many seconds/],
	['counting', 'http.response.code eq', /^Counted requests: /],
] as const)('an impossible value of %s is refused in its line', async (line, text, reason) => {
	const {testStore, press, type} = await openRateLimits();
	press('e', 'enter');
	testStore.state().rateLimit.chooseAction('block');
	while (getForm(testStore).aboutFields.cursorRow !== line) press('tab');
	type(text);
	press('enter');
	expect(getForm(testStore).step).toBe('about');
	expect(testStore.state().messages.latest?.text).toMatch(reason);
});
