import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {confirm, goToConfirmation, goToEligibility} from './migration-ways.ts';
import {chooseEntry, pressAndConfirm, submitDialog, type Walk} from './production-ways.ts';
import {
	goToBlockQuestion,
	goToEmergency,
	goToRuleReview,
	goToRules,
	goToRuleWizard,
	ruleZone,
	typeExpression,
} from './rule-ways.ts';
import {waitForHome} from './sample-ways.ts';
import type {DrawnScreen} from './screen.tsx';
import {confirmAfterReading, pressEnterAfterReading} from './ways.ts';

const acmePattern = /In Acme \(simulated\) › zone acme/;
const donePattern = /In Acme \(simulated\) › zone done/;
const ruleExpression = 'ip.src eq 192.0.2.9';

/** Every write that the screens make to a zone, by what is written to. */
/** Confirms the deletion of the old rules that the review shows. */
async function deleteOldRules(screen: DrawnScreen): Promise<void> {
	await screen.settled('Delete 3 firewall rules from', {quiet: minReviewMs + 100});
	await submitDialog(screen, 'y', 'To continue, type', 'acme-shop.example');
}

export const zoneWalks: Readonly<Record<string, Walk>> = {
	'firewall rules': {
		options: {zone: ruleZone},
		goToStart: goToRules,
		steps: [
			{
				actionIds: ['firewall.pause'],
				begin: screen => pressAndConfirm(screen, 'p', /Pause rule \d+\?/),
				placePattern: acmePattern,
				requestPattern: /^PUT .*\/firewall\/rules\//,
				endText: 'The rule is paused',
			},
			{
				actionIds: ['firewall.resume'],
				begin: screen => pressAndConfirm(screen, 'p', /Resume rule \d+\?/),
				placePattern: acmePattern,
				requestPattern: /^PUT .*\/firewall\/rules\//,
				endText: 'The rule is active again',
			},
			{
				actionIds: ['firewall.priority'],
				async begin(screen) {
					await submitDialog(screen, 'O', 'Priority of rule 1', '7');
					await screen.waitFor('Set the priority of rule 1 to');
					screen.press('y');
				},
				placePattern: acmePattern,
				requestPattern: /^P\w+ .*\/firewall\/rules/,
				endText: /now has priority \d+/,
			},
			{
				actionIds: ['firewall.delete'],
				async begin(screen) {
					screen.press('d');
					await screen.waitFor('y delete rule');
					screen.press('y');
				},
				placePattern: acmePattern,
				requestPattern: /^DELETE .*\/firewall\/rules\//,
				endText: /Deleted rule/,
			},
			{
				actionIds: ['firewall.undo'],
				begin: screen => pressAndConfirm(screen, 'u', 'Undo the last change?'),
				placePattern: acmePattern,
				requestPattern: /^POST .*\/firewall\/rules$/,
				endText: /Undone: the rule .*created again/,
			},
			{
				actionIds: ['firewall.pause'],
				async begin(screen) {
					screen.press('g', 'down', 'space', 'down', 'space');
					await screen.waitFor('2 selected');
					await pressAndConfirm(screen, 'p', 'Pause 2 rules?');
				},
				beginAgain: screen => pressAndConfirm(screen, 'p', 'Pause 2 rules?'),
				placePattern: acmePattern,
				requestPattern: /^PUT .*\/firewall\/rules\//,
				endText: '2 rules are paused',
			},
			{
				actionIds: ['wizard.send'],
				async begin(screen) {
					await goToRuleReview(screen, ruleExpression);
					await confirmAfterReading(screen, 'y send');
				},
				beginAgain: screen => confirmAfterReading(screen, 'y send'),
				placePattern: acmePattern,
				requestPattern: /^POST .*\/filters$/,
				faults: 'status=400 path=/firewall/rules',
				endText: 'Delete the filter',
			},
			{
				actionIds: ['wizard.choose'],
				async begin(screen) {
					await screen.settled('Delete the filter', {quiet: minReviewMs + 100});
					await chooseEntry(screen, 'Delete the filter');
					await screen.waitFor('y delete filter');
					screen.press('y');
				},
				placePattern: acmePattern,
				requestPattern: /^DELETE .*\/filters\//,
				endText: '▸ Done',
			},
			{
				actionIds: ['emergency.send'],
				async begin(screen) {
					await pressEnterAfterReading(screen, '▸ Done');
					await screen.waitFor('! block now');
					await goToEmergency(screen);
					await goToBlockQuestion(screen, ruleExpression);
					await confirmAfterReading(screen, 'y send');
				},
				beginAgain: screen => confirmAfterReading(screen, 'y send'),
				placePattern: acmePattern,
				requestPattern: /^POST .*\/firewall\/rules$/,
				endText: 'Active: rule',
			},
			{
				actionIds: ['emergency.undo'],
				async begin(screen) {
					await screen.settled('Active: rule', {quiet: minReviewMs + 100});
					screen.press('u');
				},
				placePattern: acmePattern,
				requestPattern: /^DELETE .*\/firewall\/rules\//,
				endText: 'Undone. Rule',
			},
		],
	},
	'custom rules': {
		options: {zone: 'done.acme.example'},
		async goToStart(screen) {
			await waitForHome(screen);
			screen.press('2');
			await screen.waitFor('rule 1 of 4');
		},
		steps: [
			{
				actionIds: ['custom.send-move'],
				async begin(screen) {
					screen.press('O', 'down');
					await screen.waitFor('nothing has been sent');
					await pressAndConfirm(screen, 'enter', 'Move this rule to position 2 of 4?');
				},
				async beginAgain(screen) {
					await screen.waitFor('send the new order');
					await pressAndConfirm(screen, 'enter', 'Move this rule to position 2 of 4?');
				},
				placePattern: donePattern,
				requestPattern: /^PATCH .*\/rules\//,
				endText: 'Rule moved to position 2 of 4',
			},
			{
				actionIds: ['custom.pause'],
				begin: screen => pressAndConfirm(screen, 'p', /Pause rule \d+\?/),
				placePattern: donePattern,
				requestPattern: /^PATCH .*\/rules\//,
				endText: 'The rule is paused',
			},
			{
				actionIds: ['custom.resume'],
				begin: screen => pressAndConfirm(screen, 'p', /Resume rule \d+\?/),
				placePattern: donePattern,
				requestPattern: /^PATCH .*\/rules\//,
				endText: 'The rule is active again',
			},
			{
				actionIds: ['custom.undo'],
				begin: screen => pressAndConfirm(screen, 'u', 'Undo the last change?'),
				placePattern: donePattern,
				requestPattern: /^PATCH .*\/rules\//,
				endText: 'Undone: ',
			},
			{
				actionIds: ['custom.delete'],
				begin: screen => pressAndConfirm(screen, 'd', /Delete rule \d+\?/),
				placePattern: donePattern,
				requestPattern: /^DELETE .*\/rules\//,
				endText: 'Rule deleted',
			},
			{
				actionIds: ['versions.restore'],
				async begin(screen) {
					screen.press('V');
					await screen.waitFor('is active.');
					screen.press('down');
					await screen.waitFor('Restoring version');
					await pressAndConfirm(screen, 'u', 'Restore version');
				},
				placePattern: donePattern,
				requestPattern: /^(?:PUT|POST) .*\/(?:entrypoint|rules)$/,
				endText: 'Restored version',
			},
			{
				actionIds: ['customRule.send'],
				async begin(screen) {
					await goToRuleWizard(screen);
					await typeExpression(screen, ruleExpression);
					screen.press('enter');
					await screen.waitFor('leave empty for last');
					screen.press('enter');
					await screen.waitFor('exactly as');
					await confirmAfterReading(screen, 'y send');
				},
				beginAgain: screen => confirmAfterReading(screen, 'y send'),
				placePattern: donePattern,
				requestPattern: /^POST .*\/rules$/,
				endText: /Custom rule .* \(block,\s+[0-9a-f]{32}\) created/,
			},
		],
	},
	'custom rules from firewall rules': {
		options: {zone: 'acme-shop.example'},
		async goToStart(screen) {
			await waitForHome(screen);
			screen.press('2');
			await screen.waitFor('rule 1 of 3');
			screen.press('m');
			await screen.waitFor('3 custom rules to create, nothing has been sent');
			screen.press('enter');
			await screen.waitFor('exactly as it will be sent');
		},
		steps: [
			{
				actionIds: ['merge.send'],
				begin: screen => confirmAfterReading(screen, 'y send'),
				placePattern: /In Acme \(simulated\) › zone acme-shop/,
				requestPattern: /^PUT .*\/entrypoint$/,
				endText: 'Created 3 custom rules: 3 in total',
			},
			{
				actionIds: ['merge.delete'],
				async begin(screen) {
					await screen.settled();
					screen.press('d');
					await deleteOldRules(screen);
				},
				beginAgain: deleteOldRules,
				placePattern: /In Acme \(simulated\) › zone acme-shop/,
				requestPattern: /^DELETE .*\/firewall\/rules\//,
				endText: 'Deleted 3 firewall rules',
			},
		],
	},
	'managed rules': {
		options: {zone: 'done.acme.example'},
		async goToStart(screen) {
			await waitForHome(screen);
			screen.press('4');
			await screen.waitFor('execute OWASP Core Ruleset');
		},
		steps: [
			{
				actionIds: ['managed.send'],
				async begin(screen) {
					screen.press('T');
					await screen.waitFor('Tune the OWASP ruleset');
					screen.press('down', 'enter');
					await screen.waitFor('Which score threshold?');
					screen.press('down', 'enter');
					await screen.waitFor('1 unsent change');
					screen.press('enter');
					await screen.waitFor('exactly as it will be sent');
					await confirmAfterReading(screen, 'y send');
				},
				beginAgain: screen => confirmAfterReading(screen, 'y send'),
				placePattern: donePattern,
				requestPattern: /^PATCH .*\/rules\//,
				endText: 'Changed managed rules, version 2',
			},
			{
				actionIds: ['managed.undo-sent'],
				async begin(screen) {
					// The undo raises the threshold, which lowers the protection: the name has to be typed.
					screen.press('u');
					await screen.waitFor('To continue, type');
					screen.type('done.acme.example');
					screen.press('enter');
				},
				placePattern: donePattern,
				requestPattern: /^PATCH .*\/rules\//,
				endText: 'Undone: ',
			},
		],
	},
	'a migration': {
		options: {zone: ruleZone},
		async goToStart(screen) {
			await waitForHome(screen);
			await goToConfirmation(screen, 'Direct');
		},
		steps: [
			{
				actionIds: ['migration.confirm'],
				async begin(screen) {
					await screen.settled("Type the zone's name");
					await confirm(screen, {name: ruleZone});
				},
				placePattern: acmePattern,
				requestPattern: /^PUT .*\/entrypoint$/,
				endText: 'is migrated',
			},
		],
	},
	'an override': {
		options: {zone: 'acme-legacy.example'},
		async goToStart(screen) {
			await waitForHome(screen);
			await goToEligibility(screen);
			screen.press('enter');
			await screen.waitFor('URI-based override');
			while (!screen.lines().some(line => /▸ +◆/.test(line))) await screen.pressAndAwaitFrame('down');
		},
		steps: [
			{
				actionIds: ['migration.delete-override'],
				async begin(screen) {
					screen.press('d');
					await screen.waitFor('Delete this override?');
					while (screen.text().includes('(list')) await screen.pressAndAwaitFrame('y');
					screen.press('y');
				},
				placePattern: acmePattern,
				requestPattern: /^DELETE .*\/overrides\//,
				endText: '2 URI-based overrides',
			},
			{
				actionIds: ['migration.delete-overrides'],
				async begin(screen) {
					screen.press('D');
					await screen.waitFor('Delete 2 overrides?');
					while (screen.text().includes('(list')) await screen.pressAndAwaitFrame('y');
					if (screen.text().includes('To continue, type')) {
						screen.type('acme-legacy.example');
						screen.press('enter');
					} else screen.press('y');
				},
				placePattern: acmePattern,
				requestPattern: /^DELETE .*\/overrides\//,
				// The number of all deletions, in the last line, is soon covered by this message.
				endText: 'Deleted 2 overrides. To restore',
			},
		],
	},
};
