/** The names of the phases that have sample rules, or are named in code. */
export const customRulesPhase = 'http_request_firewall_custom';
export const managedRulesPhase = 'http_request_firewall_managed';
export const rateLimitRulesPhase = 'http_ratelimit';
