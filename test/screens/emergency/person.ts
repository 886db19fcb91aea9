import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import type {Ruleset} from '../../../source/rulesets/ruleset.ts';
import {listEmergencyChoices} from '../../../source/screens/emergency/ending.ts';
import type {EmergencyEnding, EmergencyState} from '../../../source/screens/emergency/state.ts';
import type {ZoneWithLabel} from '../../../source/screens/shell/zone-with-label.ts';
import type {EmergencyAction} from '../../../source/screens/stepped-form/descriptions.ts';
import type {RuleChoice} from '../../../source/screens/stepped-form/rule-form.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {simulatedBaseUrl} from '../../../source/settings/base-url.ts';
import {callMovedZoneAsOther, shop} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

type Options = {readonly zone?: ZoneWithLabel; readonly faults?: string; readonly readOnly?: true};

/** Opens the emergency screen of a zone after reading its rules. The faults apply from then on. */
export async function openEmergencyAsUser({zone = shop, faults = '', readOnly}: Options = {}) {
	const testStore = createTestStore({simulate: true, ...(readOnly && {readOnly})});
	const {state} = testStore;
	state().firewall.open(zone);
	await state().firewall.load(testStore.signal);
	testStore.simulator.faults.replace(faults);
	state().emergency.begin();
	state().navigation.go('emergency');
	return createEmergencyUser(testStore);
}

export function createEmergencyUser(testStore: TestStore) {
	const {state} = testStore;
	const person = {
		space: testStore,
		state,
		emergency(): EmergencyState {
			const emergency = state().emergency.data;
			if (!emergency) throw new Error(`There is no emergency: ${person.getMessage()}`);
			return emergency;
		},
		type(keys: string) {
			for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu))
				state().emergency.type(name === undefined ? createTextKey(character ?? '') : createKey(name, ''));
		},
		/** Types the expression, chooses the action, and goes to the review. */
		async goToReview(expression: string, action: EmergencyAction = 'block') {
			person.type(expression);
			state().emergency.goToNextStep();
			state().emergency.chooseAction(action);
			await person.waitForCustomRules();
		},
		/** Waits until the custom rules are no longer being read. */
		async waitForCustomRules() {
			await testStore.until(
				({work: {list}}) => !list.some(({label}) => label === 'loading the custom rules'),
			);
		},
		async send() {
			testStore.advanceClock(minReviewMs);
			await state().emergency.send();
		},
		ending(): EmergencyEnding {
			const {phase} = person.emergency();
			if (phase.name !== 'ended') throw new Error(`It has not ended: ${phase.name}, ${person.getMessage()}`);
			return phase.ending;
		},
		choices: () => listEmergencyChoices(person.emergency(), person.ending()).map(({id}) => id),
		async choose(choiceId: RuleChoice['id']) {
			const choice = listEmergencyChoices(person.emergency(), person.ending()).find(
				one => one.id === choiceId,
			);
			if (!choice) throw new Error(`"${choiceId}" is no choice here: ${person.choices().join(', ')}`);
			testStore.advanceClock(minReviewMs);
			await state().emergency.decide(choice);
		},
		getMessage: (): string => state().messages.latest?.text ?? '',
	};
	return person;
}

export const clearFaultsAndReadRules = (testStore: TestStore) => {
	testStore.simulator.faults.clear();
	return callMovedZoneAsOther<Rule[]>(testStore, 'GET', '/firewall/rules?per_page=100');
};
export const clearFaultsAndReadFilters = (testStore: TestStore) => {
	testStore.simulator.faults.clear();
	return callMovedZoneAsOther<{id: string; expression: string}[]>(testStore, 'GET', '/filters?per_page=100');
};
export const clearFaultsAndReadCustomRules = (testStore: TestStore) => {
	testStore.simulator.faults.clear();
	return callMovedZoneAsOther<Ruleset>(
		testStore,
		'GET',
		'/rulesets/phases/http_request_firewall_custom/entrypoint',
	);
};

/** Adds a rule to a zone as someone else. */
export async function addRuleAsSomeoneElse({simulator}: TestStore, zoneId: string): Promise<void> {
	const response = await simulator.fetch(
		new Request(`${simulatedBaseUrl}/zones/${zoneId}/firewall/rules`, {
			method: 'POST',
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			body: JSON.stringify([{filter: {expression: 'ip.src eq 192.0.2.78'}, action: 'block'}]),
		}),
	);
	if (!response.ok) throw new Error(await response.text());
}
