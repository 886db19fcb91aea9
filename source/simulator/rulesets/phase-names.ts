/** The phases of rulesets that have samples or rules of their own. */
export const customPhase = 'http_request_firewall_custom';
export const managedPhase = 'http_request_firewall_managed';
export const rateLimitPhase = 'http_ratelimit';
