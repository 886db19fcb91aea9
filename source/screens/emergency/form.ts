import {picklist} from 'valibot';
import {describeFirstPriority} from '../../firewall/rules/order.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {pickFields} from '../../text/schema.ts';
import type {FormCreator} from '../drafts/form.ts';
import {createLine} from '../stepped-form/about-fields.ts';
import {createRuleDraftForm} from '../stepped-form/rule-draft.ts';
import {emergencyKind} from './kind.ts';
import {
	buildEmergencyDraft,
	type EmergencyEnding,
	type EmergencyPurpose,
	type EmergencyState,
	getEmergencyRules,
} from './state.ts';

const schema = pickFields({order: picklist(['first', 'as it comes'])});

/** The emergency screen as a form with drafts, which are kept until the block is active or discarded. */
export const createEmergencyForm: FormCreator = (get, ports) => {
	const form = createRuleDraftForm<EmergencyState, EmergencyPurpose, EmergencyEnding, typeof schema>(
		emergencyKind,
		{
			schema,
			toFields: ({aboutFields}) => ({
				order: getBufferText(aboutFields.order) === '' ? 'as it comes' : 'first',
			}),
			describe: () => ({name: 'emergency', description: ''}),
			readPurpose: () => ({}),
			// The first priority depends on the current rules.
			restore: (newForm, {order}) =>
				order === 'first'
					? {
							...newForm,
							aboutFields: {
								...newForm.aboutFields,
								order: createLine(
									String(
										describeFirstPriority(getEmergencyRules(newForm), buildEmergencyDraft(newForm).action)
											.priority,
									),
								),
							},
						}
					: newForm,
			describeChanges: () => undefined,
		},
		get,
		ports,
	);
	return {
		...form,
		offer(draft) {
			const {stage, ...rest} = draft.fields;
			if (stage === undefined) return form.offer(draft);
			// Written by a version whose emergency screen was not yet a rule form.
			return form.offer({
				...draft,
				fields: {...rest, step: stage === 'send' ? 'review' : stage, paused: false},
			});
		},
	};
};
