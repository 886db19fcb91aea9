import {findFilterUsers} from '../../../firewall/rules/users.ts';
import {getSelectedBlocker} from '../../migration/actions/blockers.ts';
import {isAtMigrationStep} from '../../migration/actions/part.ts';
import {createActionFactory} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import {getCurrentScreen} from '../../shell/screen-name.ts';
import {openRuleForm} from '../../stepped-form/rule-actions.ts';
import {firewallRuleKind} from '../../wizard/kind.ts';
import {getSelectedRule} from '../list.ts';

/** Opens a rule in the firewall list; if its expression is too long, opens the editor of its filter. */
function editRule(app: App, id: string, isTooLong: boolean): void {
	const {state} = app;
	const migration = state().migration.data;
	if (!migration) return;
	const {zone} = migration;
	state().firewall.open(zone);
	state().firewall.focusRow(id, zone.id);
	state().navigation.go('firewall');
	void state()
		.work.run(`loading filters and rules of ${zone.name}`, 'read', signal => state().firewall.load(signal))
		.then(() => {
			const firewall = state().firewall.data;
			const dialog = state().dialog.current;
			const rule = getSelectedRule(state());
			if (!isTooLong || dialog || getCurrentScreen(state()) !== 'firewall' || rule?.id !== id) return;
			const filter = firewall?.filters.find(one => one.id === rule.filter.id);
			if (firewall && filter)
				openRuleForm(app, firewallRuleKind, {
					kind: 'change filter',
					filter,
					rulesOnFilter: findFilterUsers(filter.id, firewall.rules),
				});
		});
}

/** Goes from a firewall rule that blocks the migration to its editor. */
export const editBlockingRule: Action = createActionFactory('Migration', ['migration menu'])(
	'migration.edit-rule',
	['e'],
	'edit the firewall rule; esc returns here',
	{
		effect: 'prepares a write',
		hint: 'edit rule',
		searchTerms: ['firewall rule', 'shorten expression', 'go to rule'],
		isActive: state => isAtMigrationStep('blockers')(state) && getSelectedBlocker(state)?.kind === 'object',
		run(app) {
			const row = getSelectedBlocker(app.state());
			if (row?.kind === 'object') editRule(app, row.id, row.blocker.kind === 'expression length');
		},
	},
);
