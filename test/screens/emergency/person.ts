import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import type {Ruleset} from '../../../source/rulesets/ruleset.ts';
import {listEmergencyChoices} from '../../../source/screens/emergency/ending.ts';
import type {EmergencyEnding, EmergencyState} from '../../../source/screens/emergency/state.ts';
import type {ZoneWithLabel} from '../../../source/screens/firewall/state.ts';
import type {EmergencyAction} from '../../../source/screens/stepped-form/descriptions.ts';
import type {RuleChoice} from '../../../source/screens/stepped-form/rule-form.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {simulatedBaseUrl} from '../../../source/service/connect.ts';
import {behind, shop} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

type Options = {readonly zone?: ZoneWithLabel; readonly faults?: string; readonly readOnly?: true};

/** A person at the emergency screen of the shop, whose rules were read; then the faults begin. */
export async function emergencyIn({zone = shop, faults = '', readOnly}: Options = {}) {
	const space = createTestStore({simulate: true, ...(readOnly && {readOnly})});
	const {state} = space;
	state().firewall.open(zone);
	await state().firewall.load(space.signal);
	space.simulator.faults.replace(faults);
	state().emergency.begin();
	state().navigation.go('emergency');
	return personAt(space);
}

export function personAt(space: TestStore) {
	const {state} = space;
	const person = {
		space,
		state,
		emergency(): EmergencyState {
			const emergency = state().emergency.data;
			if (!emergency) throw new Error(`There is no emergency: ${person.said()}`);
			return emergency;
		},
		type(keys: string) {
			for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu))
				state().emergency.type(name === undefined ? createTextKey(character ?? '') : createKey(name, ''));
		},
		/** All the way to what will be sent. */
		async toSend(expression: string, action: EmergencyAction = 'block') {
			person.type(expression);
			state().emergency.goToNextStep();
			state().emergency.chooseAction(action);
			await person.read();
		},
		/** Until the custom rules are read, where they are. */
		async read() {
			await space.until(({work: {list}}) => !list.some(({label}) => label === 'reading the custom rules'));
		},
		async send() {
			space.passes(minReviewMs);
			await state().emergency.send();
		},
		ending(): EmergencyEnding {
			const {phase} = person.emergency();
			if (phase.name !== 'ended') throw new Error(`It has not ended: ${phase.name}, ${person.said()}`);
			return phase.ending;
		},
		choices: () => listEmergencyChoices(person.emergency(), person.ending()).map(({id}) => id),
		async choose(does: RuleChoice['id']) {
			const choice = listEmergencyChoices(person.emergency(), person.ending()).find(one => one.id === does);
			if (!choice) throw new Error(`"${does}" is no choice here: ${person.choices().join(', ')}`);
			space.passes(minReviewMs);
			await state().emergency.decide(choice);
		},
		said: (): string => state().messages.latest?.text ?? '',
	};
	return person;
}

export const rulesThere = (space: TestStore) => {
	space.simulator.faults.clear();
	return behind<Rule[]>(space, 'GET', '/firewall/rules?per_page=100');
};
export const filtersThere = (space: TestStore) => {
	space.simulator.faults.clear();
	return behind<{id: string; expression: string}[]>(space, 'GET', '/filters?per_page=100');
};
export const customRulesThere = (space: TestStore) => {
	space.simulator.faults.clear();
	return behind<Ruleset>(space, 'GET', '/rulesets/phases/http_request_firewall_custom/entrypoint');
};

/** One more rule in a zone, by someone else. */
export async function fifthRule({simulator}: TestStore, zone: string): Promise<void> {
	const answer = await simulator.fetch(
		new Request(`${simulatedBaseUrl}/zones/${zone}/firewall/rules`, {
			method: 'POST',
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			body: JSON.stringify([{filter: {expression: 'ip.src eq 192.0.2.78'}, action: 'block'}]),
		}),
	);
	if (!answer.ok) throw new Error(await answer.text());
}
