"""How good a trial is: graders, judges and scoring turn evidence into grades, a scorecard and a verdict. Pure."""
