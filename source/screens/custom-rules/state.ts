import {declareRuleList} from '../rulesets/rule-list.ts';
import {customRuleType} from '../rulesets/rule-type.ts';

/** The custom rules of a zone. */
export const customRuleList = declareRuleList(customRuleType, 'Custom rules', 'custom');
